<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="walker" tilewidth="16" tileheight="24" tilecount="16" columns="4">
 <image source="walker.png" width="64" height="96"/>
 <tile id="0" type="down">
  <animation>
   <frame tileid="0" duration="120"/>
   <frame tileid="1" duration="120"/>
   <frame tileid="2" duration="120"/>
   <frame tileid="3" duration="120"/>
  </animation>
 </tile>
 <tile id="4" type="left">
  <animation>
   <frame tileid="4" duration="120"/>
   <frame tileid="5" duration="120"/>
   <frame tileid="6" duration="120"/>
   <frame tileid="7" duration="120"/>
  </animation>
 </tile>
 <tile id="8" type="right">
  <animation>
   <frame tileid="8" duration="120"/>
   <frame tileid="9" duration="120"/>
   <frame tileid="10" duration="120"/>
   <frame tileid="11" duration="120"/>
  </animation>
 </tile>
 <tile id="12" type="up">
  <animation>
   <frame tileid="12" duration="120"/>
   <frame tileid="13" duration="120"/>
   <frame tileid="14" duration="120"/>
   <frame tileid="15" duration="120"/>
  </animation>
 </tile>
</tileset>
