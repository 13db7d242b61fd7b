<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" tiledversion="1.10.2" name="town" tilewidth="16" tileheight="16" tilecount="240" columns="16">
 <image source="town_tiles.png" width="256" height="240"/>
 <tile id="58" type="path">
 </tile>
 <tile id="59" type="path">
 </tile>
 <tile id="60" type="path">
 </tile>
 <tile id="61" type="path">
 </tile>
 <tile id="62" type="path">
 </tile>
 <tile id="63" type="path">
 </tile>
 <tile id="64" type="path">
 </tile>
 <tile id="65" type="path">
 </tile>
 <tile id="66" type="path">
 </tile>
 <tile id="67" type="path">
 </tile>
 <tile id="68" type="path">
 </tile>
 <tile id="69" type="path">
 </tile>
 <tile id="70" type="path">
 </tile>
 <tile id="71" type="path">
 </tile>
 <tile id="72" type="path">
 </tile>
 <tile id="73" type="path">
 </tile>
 <tile id="74" type="path">
 </tile>
 <tile id="75" type="path">
 </tile>
 <tile id="76" type="path">
 </tile>
 <tile id="77" type="path">
 </tile>
 <tile id="78" type="path">
 </tile>
 <tile id="79" type="path">
 </tile>
 <tile id="80" type="path">
 </tile>
 <tile id="81" type="path">
 </tile>
 <tile id="82" type="path">
 </tile>
 <tile id="83" type="path">
 </tile>
 <tile id="84" type="path">
 </tile>
 <tile id="85" type="water">
 </tile>
 <tile id="86" type="water">
 </tile>
 <tile id="87" type="water">
 </tile>
 <tile id="88" type="water">
 </tile>
 <tile id="89" type="path">
 </tile>
 <tile id="90" type="water">
 </tile>
 <tile id="91" type="water">
 </tile>
 <tile id="92" type="water">
 </tile>
 <tile id="93" type="water">
 </tile>
 <tile id="94" type="water">
 </tile>
 <tile id="95" type="path">
 </tile>
 <tile id="96" type="path">
 </tile>
 <tile id="97" type="path">
 </tile>
 <tile id="98" type="path">
 </tile>
 <tile id="99" type="water">
 </tile>
 <tile id="100" type="water">
 </tile>
 <tile id="101" type="water">
 </tile>
 <tile id="102" type="water">
 </tile>
 <tile id="103" type="water">
 </tile>
 <tile id="104" type="water">
 </tile>
 <tile id="105" type="water">
 </tile>
 <tile id="106" type="water">
 </tile>
 <tile id="107" type="water">
 </tile>
 <tile id="108" type="water">
 </tile>
 <tile id="109" type="path">
 </tile>
 <tile id="110" type="path">
 </tile>
 <tile id="111" type="path">
 </tile>
 <tile id="112" type="path">
 </tile>
 <tile id="113" type="path">
 </tile>
 <tile id="114" type="path">
 </tile>
 <tile id="115" type="path">
 </tile>
 <tile id="116" type="path">
 </tile>
 <tile id="117" type="house">
 </tile>
 <tile id="118" type="house">
 </tile>
 <tile id="119" type="house">
 </tile>
 <tile id="120" type="house">
 </tile>
 <tile id="121" type="house">
 </tile>
 <tile id="122" type="house">
 </tile>
 <tile id="123" type="house">
 </tile>
 <tile id="124" type="house">
 </tile>
 <tile id="125" type="house">
 </tile>
 <tile id="126" type="house">
 </tile>
 <tile id="127" type="house">
 </tile>
 <tile id="128" type="house">
 </tile>
 <tile id="129" type="house">
 </tile>
 <tile id="130" type="house">
 </tile>
 <tile id="131" type="house">
 </tile>
 <tile id="132" type="house">
 </tile>
 <tile id="133" type="house">
 </tile>
 <tile id="134" type="house">
 </tile>
 <tile id="135" type="house">
 </tile>
 <tile id="136" type="house">
 </tile>
 <tile id="137" type="house">
 </tile>
 <tile id="138" type="house">
 </tile>
 <tile id="139" type="house">
 </tile>
 <tile id="140" type="house">
 </tile>
 <tile id="141" type="house">
 </tile>
 <tile id="142" type="house">
 </tile>
 <tile id="143" type="house">
 </tile>
 <tile id="144" type="house">
 </tile>
 <tile id="145" type="house">
 </tile>
 <tile id="146" type="house">
 </tile>
 <tile id="147" type="house">
 </tile>
 <tile id="148" type="house">
 </tile>
 <tile id="149" type="house">
 </tile>
 <tile id="150" type="house">
 </tile>
 <tile id="151" type="house">
 </tile>
 <tile id="152" type="house">
 </tile>
 <tile id="153" type="house">
 </tile>
 <tile id="154" type="house">
 </tile>
 <tile id="155" type="house">
 </tile>
 <tile id="156" type="house">
 </tile>
 <tile id="157" type="house">
 </tile>
 <tile id="158" type="house">
 </tile>
 <tile id="159" type="house">
 </tile>
 <tile id="160" type="house">
 </tile>
 <tile id="161" type="house">
 </tile>
 <tile id="162" type="house">
 </tile>
 <tile id="163" type="house">
 </tile>
 <tile id="164" type="house">
 </tile>
 <tile id="165" type="house">
 </tile>
 <tile id="166" type="house">
 </tile>
 <tile id="167" type="house">
 </tile>
 <tile id="168" type="house">
 </tile>
 <tile id="169" type="house">
 </tile>
 <tile id="170" type="house">
 </tile>
 <tile id="171" type="house">
 </tile>
 <tile id="172" type="house">
 </tile>
 <tile id="173" type="house">
 </tile>
 <tile id="174" type="house">
 </tile>
 <tile id="175" type="house">
 </tile>
 <tile id="176" type="house">
 </tile>
 <tile id="177" type="house">
 </tile>
 <tile id="178" type="house">
 </tile>
 <tile id="179" type="house">
 </tile>
 <tile id="180" type="house">
 </tile>
 <tile id="181" type="house">
 </tile>
 <tile id="182" type="house">
 </tile>
 <tile id="183" type="house">
 </tile>
 <tile id="184" type="house">
 </tile>
 <tile id="185" type="house">
 </tile>
 <tile id="186" type="house">
 </tile>
 <tile id="187" type="house">
 </tile>
 <tile id="188" type="house">
 </tile>
 <tile id="189" type="fence">
 </tile>
 <tile id="190" type="fence">
 </tile>
 <tile id="191" type="fence">
 </tile>
 <tile id="192" type="fence">
 </tile>
 <tile id="193" type="fence">
 </tile>
 <tile id="194" type="fence">
 </tile>
 <tile id="195" type="fence">
 </tile>
 <tile id="196" type="fence">
 </tile>
 <tile id="197" type="fence">
 </tile>
 <tile id="198" type="fence">
 </tile>
 <tile id="199" type="crop">
 </tile>
 <tile id="200" type="crop">
 </tile>
 <tile id="201" type="tree">
 </tile>
 <tile id="202" type="tree">
 </tile>
 <tile id="203" type="tree">
 </tile>
 <tile id="204" type="tree">
 </tile>
 <tile id="205" type="tree">
 </tile>
 <tile id="206" type="tree">
 </tile>
 <tile id="207" type="tree">
 </tile>
 <tile id="208" type="tree">
 </tile>
 <tile id="209" type="tree">
 </tile>
 <tile id="210" type="tree">
 </tile>
 <tile id="211" type="tree">
 </tile>
 <tile id="212" type="tree">
 </tile>
 <tile id="213" type="tree">
 </tile>
 <tile id="214" type="tree">
 </tile>
 <tile id="215" type="tree">
 </tile>
 <tile id="216" type="tree">
 </tile>
 <tile id="217" type="bush">
 </tile>
 <tile id="218" type="well">
 </tile>
 <tile id="219" type="well">
 </tile>
 <tile id="220" type="well">
 </tile>
 <tile id="221" type="well">
 </tile>
 <tile id="222" type="shade">
 </tile>
 <tile id="223" type="shade">
 </tile>
 <tile id="224" type="shade">
 </tile>
</tileset>
