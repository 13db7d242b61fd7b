//! Lists the pictures that a map draws, in drawing order, with their positions on the screen. The list
//! follows Tiled's rules for every orientation. Feature `render` draws this list, and an engine can draw it
//! too. Nothing here opens a file, decodes a picture or blends a pixel.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::iter;
use std::path::Path;

use glam::{DAffine2, DMat2, DVec2, I64Vec2, IVec2, UVec2};

use super::{
    Color, INT_GRID, Image, ImageLayer, Lattice, Layer, LayerContent, LayerContext, Map, Object,
    ObjectLayer, Orientation, Projection, Space, Tileset, flip,
};
use crate::geometry::{Aabb, direction};
use crate::property::PropertyValue;

impl Map {
    /// Returns the pictures that a program must load to draw this map: the pictures of the visible tiles,
    /// tile objects and image layers.
    ///
    /// They are sorted by path, without repeats. The pictures of all frames of a visible animation are
    /// included. O(cells).
    pub fn drawn_images(&self) -> Vec<&Image> {
        let (gids, mut images) = visible(self);
        for gid in gids {
            let Some(tile) = self.tile(gid) else {
                continue;
            };
            let tileset = &self.tilesets[tile.tileset];
            let frames = tileset.tiles.get(&tile.id).map_or(&[][..], |tile| &tile.animation);
            for id in frames.iter().map(|frame| frame.tile).chain([tile.id]) {
                images.extend(own_image(tileset, id).or(tileset.image.as_ref()));
            }
        }
        images.sort_by(|a, b| (&a.path, a.transparent).cmp(&(&b.path, b.transparent)));
        images.dedup_by(|a, b| (&a.path, a.transparent) == (&b.path, b.transparent));
        images
    }

    /// Prepares the list of everything that this map draws. `picture_size` returns the width and height of a
    /// picture in pixels, or `None` if the picture is missing.
    ///
    /// It is called once for each path in [`Map::drawn_images`]. O(cells + tilesets of each different tile).
    ///
    /// ```
    /// use bitwall::tmx::Paint;
    /// use bitwall::{LoadOptions, LoadedLevel};
    ///
    /// let loaded = LoadedLevel::load("assets/hills.tmx", &LoadOptions::default())?;
    /// let map = loaded.map().expect("a map");
    /// let scene = map.scene(|image| Some(image.size));
    /// for drawing in scene.drawings() {
    ///     if let Paint::Picture { image, source } = drawing.paint {
    ///         // An engine draws the part `source` of `image` here: `drawing.center`, `drawing.size`,
    ///         // `drawing.flip_x`, `drawing.flip_y`, `drawing.degrees`, `drawing.opacity`.
    ///         assert!(image.path.ends_with("hills_tiles.png") && source.size() == map.tile_size);
    ///     }
    /// }
    /// assert!(scene.drawings().any(|drawing| drawing.flip_x), "slopes are mirrored");
    /// # Ok::<(), bitwall::LoadError>(())
    /// ```
    pub fn scene(&self, picture_size: impl FnMut(&Image) -> Option<UVec2>) -> Scene<'_> {
        Scene::new(self, picture_size)
    }
}

/// Everything that a map draws, prepared by [`Map::scene`]. Hidden layers and objects are not drawn.
///
/// Objects without a tile, such as points, polygons and texts, are not drawn either: Tiled shows them only in
/// its editor.
#[derive(Debug)]
pub struct Scene<'m> {
    map: &'m Map,
    lattice: Lattice,
    projection: Projection,
    /// The sizes of the pictures in pixels, by path. `None` for a missing picture.
    sizes: BTreeMap<&'m Path, Option<UVec2>>,
    /// The tiles of visible cells and objects, by gid (global tile id) without flags.
    tiles: HashMap<u32, SceneTile<'m>>,
    /// The largest distance from the bottom-left corner of a cell to a pixel of a tile drawn in it, in
    /// pixels. It decides which cells may be visible in an area of the screen.
    reach: f64,
}

/// A picture at its position on the screen. Positions are in pixels of the map's picture: x to the right, y
/// down.
///
/// For an orthogonal map, these are also the pixels of the level.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Drawing<'m> {
    /// The layer that contains the drawing, for its blend mode, parallax and properties.
    ///
    /// [`Self::center`] includes the offsets of the layer and of its groups, but not the parallax.
    pub layer: &'m Layer,
    /// The tile in the cell or object: the index of its tileset in [`Map::tilesets`], and its id. `None` for
    /// an image layer.
    ///
    /// For an animated tile, [`Tileset::tiles`] has the frames, and [`Scene::tile_paint`] returns their
    /// pixels.
    pub tile: Option<(usize, u32)>,
    /// The pixels to draw. For an animated tile, these are the pixels of the first frame.
    pub paint: Paint<'m>,
    /// The center of the drawing, in pixels of the map's picture.
    pub center: DVec2,
    /// The width and height of the drawing in pixels, before it is turned. The pixels of [`Self::paint`] are
    /// scaled to this size.
    pub size: DVec2,
    /// True if the pixels are mirrored left to right, before they are turned.
    pub flip_x: bool,
    /// True if the pixels are mirrored top to bottom, before they are turned.
    pub flip_y: bool,
    /// The clockwise rotation about [`Self::center`], in degrees. It can be more than 360.
    pub degrees: f64,
    /// True for each axis (x, y) along which the picture of an image layer repeats without limit.
    pub repeat: (bool, bool),
    /// The product of the opacities of the layer, its groups and the object: 0 (clear) to 1 (opaque).
    pub opacity: f32,
    /// The product of the tints of the layer and its groups. `None` if none of them has a tint.
    pub tint: Option<Color>,
}

/// The pixels of a [`Drawing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Paint<'m> {
    /// A part of a picture.
    Picture {
        /// The picture.
        image: &'m Image,
        /// The part of the picture to draw, in pixels of the picture. Pixels beyond the picture are clear.
        source: Aabb,
    },
    /// A single colour. A value of an LDtk IntGrid has its own colour. A tile that is listed by its tileset's
    /// file, but lies outside the tileset's picture, is white, as in Tiled.
    Plain(Color),
    /// No pixels: the picture is missing, or too small to contain the tile. Such a drawing is neither
    /// mirrored nor turned.
    Missing,
}

/// A tile that a scene draws, with its pixels.
#[derive(Clone, Copy, Debug)]
struct SceneTile<'m> {
    tileset: usize,
    id: u32,
    paint: Paint<'m>,
    /// The size of the tile in its picture, in pixels. `None` without pixels.
    size: Option<UVec2>,
}

impl Drawing<'_> {
    /// Returns the affine transform from pixels of [`Self::paint`] to pixels of the screen. The origin of the
    /// paint's pixels is the paint's center.
    ///
    /// `source` is the width and height of the paint, as in [`Paint::size`].
    pub fn transform(&self, source: UVec2) -> DAffine2 {
        let mut scale = self.size / source.as_dvec2();
        if self.flip_x {
            scale.x = -scale.x;
        }
        if self.flip_y {
            scale.y = -scale.y;
        }
        DAffine2::from_mat2_translation(
            turn(self.degrees) * DMat2::from_diagonal(scale),
            self.center,
        )
    }
}

impl Paint<'_> {
    /// Returns the width and height of the part of the picture to draw, in pixels before scaling. Returns (1,
    /// 1) without a picture.
    pub fn size(&self) -> UVec2 {
        match self {
            Self::Picture { source, .. } => source.size(),
            Self::Plain(_) | Self::Missing => UVec2::ONE,
        }
    }
}

impl ObjectLayer {
    /// Returns the visible objects in drawing order. O(n log n) for n objects.
    pub fn in_drawing_order(&self) -> Vec<&Object> {
        let visible = self.objects.iter().filter(|object| object.visible);
        let mut objects: Vec<&Object> = visible.collect();
        if !self.draws_in_file_order {
            objects.sort_by_key(|object| object.position.y);
        }
        objects
    }
}

impl<'m> Scene<'m> {
    fn new(map: &'m Map, mut picture_size: impl FnMut(&Image) -> Option<UVec2>) -> Self {
        let mut scene = Self {
            map,
            lattice: Lattice::for_map(map, Space::Screen),
            projection: map.projection(),
            sizes: BTreeMap::new(),
            tiles: HashMap::new(),
            reach: 0.0,
        };
        for image in map.drawn_images() {
            scene.sizes.entry(&image.path).or_insert_with(|| picture_size(image));
        }
        for gid in visible(map).0 {
            if let Some(tile) = map.tile(gid) {
                let tileset = &map.tilesets[tile.tileset];
                let frame = tileset.tiles.get(&tile.id).and_then(|tile| tile.animation.first());
                let paint = scene.part(tileset, frame.map_or(tile.id, |frame| frame.tile));
                let size = match paint {
                    Paint::Picture { source, .. } => Some(source.size()),
                    Paint::Plain(_) => Some(tileset.tile_size),
                    Paint::Missing => None,
                };
                let tile = SceneTile { tileset: tile.tileset, id: tile.id, paint, size };
                scene.reach = scene.reach.max(scene.reach_of(tile));
                scene.tiles.insert(gid, tile);
            }
        }
        scene
    }

    /// Returns all drawings from the back to the front. O(1) per drawing, after a sort of the cells of each
    /// layer.
    pub fn drawings(&self) -> impl Iterator<Item = Drawing<'m>> {
        self.drawings_in(DVec2::NEG_INFINITY, DVec2::INFINITY)
    }

    /// Returns the drawings of [`Scene::drawings`] in the area of the screen from `min` to `max`, in pixels.
    /// Most cells that do not touch this area are left out.
    ///
    /// O(cells in a box around those in the area).
    pub fn drawings_in(&self, min: DVec2, max: DVec2) -> impl Iterator<Item = Drawing<'m>> {
        let layers = self.map.walk().filter(|context| context.visible);
        layers.flat_map(move |context| self.of_layer(context, min, max))
    }

    fn of_layer<'s>(
        &'s self,
        context: LayerContext<'m>,
        min: DVec2,
        max: DVec2,
    ) -> Box<dyn Iterator<Item = Drawing<'m>> + 's> {
        match &context.layer.content {
            LayerContent::Tiles(layer) => {
                let offset = context.offset.as_dvec2();
                let min = (min - offset).floor().as_ivec2();
                let max = (max - offset).ceil().as_ivec2();
                let near = self.lattice.cells_at(Aabb { min, max }, self.reach.ceil() as i64);
                let mut cells: Vec<_> = layer.cells_in(near).collect();
                cells.sort_by_key(|(cell, _)| self.rank(cell.as_i64vec2()));
                let cells = cells.into_iter();
                Box::new(cells.filter_map(move |(at, gid)| self.cell(&context, at, gid)))
            }
            LayerContent::Objects(layer) => {
                let objects = layer.in_drawing_order().into_iter();
                Box::new(objects.filter_map(move |object| self.object(&context, object)))
            }
            LayerContent::Image(layer) => Box::new(self.image(&context, layer).into_iter()),
            LayerContent::Group(_) => Box::new(iter::empty()),
        }
    }

    /// Returns the pixels of the tile with the id `id` in the tileset with the index `tileset`.
    ///
    /// The tile must be drawn by the map, or be a frame of such a tile's animation.
    pub fn tile_paint(&self, tileset: usize, id: u32) -> Paint<'m> {
        let tileset = self.map.tilesets.get(tileset);
        tileset.map_or(Paint::Missing, |tileset| self.part(tileset, id))
    }

    fn part(&self, tileset: &'m Tileset, id: u32) -> Paint<'m> {
        let own = own_image(tileset, id);
        let image = own.or(tileset.image.as_ref());
        let sheet = image.and_then(|image| Some((image, self.size_of(image)?)));
        let paint = sheet.and_then(|(image, size)| match own {
            Some(_) => whole(image, size),
            None => seen(image, tile_part(tileset, id, size)?, size),
        });
        // The file lists the tile, but the picture does not contain it: Tiled then draws a white tile.
        let is_white = own.is_none() && sheet.is_some() && tileset.tiles.contains_key(&id);
        let color = value_color(tileset, id).or(is_white.then_some([255; 4]));
        paint.or(color.map(Paint::Plain)).unwrap_or(Paint::Missing)
    }

    fn size_of(&self, image: &Image) -> Option<UVec2> {
        self.sizes.get(&*image.path).copied().flatten()
    }

    /// Returns the largest distance from the bottom-left corner of a cell to a pixel of `tile` drawn in it,
    /// in pixels, over all flips.
    fn reach_of(&self, tile: SceneTile<'_>) -> f64 {
        let cell = self.map.tile_size.as_dvec2();
        let size = tile.size.map_or(cell, |own| own.as_dvec2()).max(cell);
        let scale = match tile.paint {
            Paint::Missing => DVec2::ONE,
            paint => size / paint.size().as_dvec2(),
        };
        let offset = self.map.tilesets[tile.tileset].offset.as_dvec2();
        // The tile's center is at most a width plus a height away from the corner. Its farthest pixel is at
        // most as far from the center.
        2.0 * size.element_sum() + (offset * scale).abs().max_element() + 2.0
    }

    fn image(&self, context: &LayerContext<'m>, layer: &'m ImageLayer) -> Option<Drawing<'m>> {
        let image = layer.image.as_ref()?;
        let paint = whole(image, self.size_of(image)?)?;
        let size = paint.size().as_dvec2();
        let repeat = (layer.repeat_x, layer.repeat_y);
        Some(Drawing {
            repeat,
            ..context.drawing(paint, context.offset.as_dvec2() + size / 2.0, size)
        })
    }

    fn cell(&self, context: &LayerContext<'m>, cell: IVec2, gid: u32) -> Option<Drawing<'m>> {
        let tile = *self.tiles.get(&(gid & !flip::ALL))?;
        let own = tile.size.filter(|_| !self.map.tilesets[tile.tileset].fills_cell);
        let size = own.unwrap_or(self.map.tile_size).as_dvec2();
        let corner = context.offset.as_dvec2() + self.lattice.cell_bottom_left(cell).as_dvec2();
        Some(self.tile(context, tile, gid, corner - DVec2::new(0.0, size.y), size))
    }

    fn object(&self, context: &LayerContext<'m>, object: &Object) -> Option<Drawing<'m>> {
        let gid = object.gid?;
        let tile = *self.tiles.get(&(gid & !flip::ALL))?;
        let asked = object.size.as_dvec2();
        let own = tile.size.unwrap_or_default().as_dvec2();
        let size = DVec2::select(asked.cmpgt(DVec2::ZERO), asked, own);
        let position = self.projection.map_to_screen(object.position.as_dvec2());
        let position = position + context.offset.as_dvec2();
        let is_isometric = self.lattice.is_isometric();
        let halves = self.map.tilesets[tile.tileset].alignment.halves(is_isometric);
        let corner = position - halves.as_dvec2() / 2.0 * size;
        let mut drawing = self.tile(context, tile, gid, corner, size);
        drawing.opacity *= object.opacity;
        if drawing.paint != Paint::Missing {
            let degrees = object.rotation.as_f64();
            let turned = DAffine2::from_translation(position)
                * DAffine2::from_mat2(turn(degrees))
                * DAffine2::from_translation(-position);
            drawing.center = turned.transform_point2(drawing.center);
            drawing.degrees += degrees;
        }
        Some(drawing)
    }

    /// Returns the drawing of a tile in a box of `size` pixels with its top-left corner at `corner`.
    fn tile(
        &self,
        context: &LayerContext<'m>,
        tile: SceneTile<'m>,
        gid: u32,
        corner: DVec2,
        size: DVec2,
    ) -> Drawing<'m> {
        let tileset = &self.map.tilesets[tile.tileset];
        let mut drawing = Drawing {
            tile: Some((tile.tileset, tile.id)),
            ..context.drawing(tile.paint, corner + size / 2.0, size)
        };
        if tile.paint == Paint::Missing {
            return drawing;
        }
        let source = tile.paint.size().as_dvec2();
        let mut scale = size / source;
        if tileset.keeps_aspect {
            scale = DVec2::splat(scale.min_element());
            drawing.size = source * scale;
        }
        drawing.center += tileset.offset.as_dvec2() * scale;
        drawing.flip_x = gid & flip::HORIZONTAL != 0;
        drawing.flip_y = gid & flip::VERTICAL != 0;
        let is_diagonal = gid & flip::DIAGONAL != 0;
        if self.lattice.is_hexagonal() {
            drawing.degrees += if is_diagonal { 60.0 } else { 0.0 };
            drawing.degrees += if gid & flip::ROTATED != 0 { 120.0 } else { 0.0 };
        } else if is_diagonal {
            drawing.degrees = 90.0;
            (drawing.flip_x, drawing.flip_y) = (drawing.flip_y, !drawing.flip_x);
            // A tile with exchanged rows and columns keeps its bottom-left corner, but its width and height
            // change places.
            drawing.center += (size.y - size.x) / 2.0;
        }
        drawing
    }

    /// Returns the sort key of a cell: cells with smaller keys are drawn first.
    fn rank(&self, cell: I64Vec2) -> (i64, i64, i64) {
        match self.map.orientation {
            Orientation::Isometric => (cell.x + cell.y, cell.x, 0),
            Orientation::Staggered { .. } | Orientation::Hexagonal { .. } => {
                // In each row, the cells of the columns that are shifted down are drawn last.
                let stagger = self.lattice.stagger().filter(|stagger| stagger.is_along_x());
                let is_late = stagger.is_some_and(|stagger| stagger.is_shifted(cell.x as i32));
                (cell.y, i64::from(is_late), cell.x)
            }
            Orientation::Orthogonal | Orientation::Oblique { .. } => {
                let order = self.map.render_order;
                let row = if order.upward { -cell.y } else { cell.y };
                (row, if order.leftward { -cell.x } else { cell.x }, 0)
            }
        }
    }
}

impl<'m> LayerContext<'m> {
    /// Returns a drawing of this layer, upright and unrepeated.
    fn drawing(&self, paint: Paint<'m>, center: DVec2, size: DVec2) -> Drawing<'m> {
        Drawing {
            layer: self.layer,
            tile: None,
            paint,
            center,
            size,
            flip_x: false,
            flip_y: false,
            degrees: 0.0,
            repeat: (false, false),
            opacity: self.opacity,
            tint: self.tint,
        }
    }
}

/// Returns the gids (global tile ids) of the visible tiles, sorted and without flags, and the pictures of the
/// visible image layers.
fn visible(map: &Map) -> (Vec<u32>, Vec<&Image>) {
    let mut gids = HashSet::new();
    let mut of_layers = Vec::new();
    for context in map.walk().filter(|context| context.visible) {
        match &context.layer.content {
            LayerContent::Tiles(tiles) => gids.extend(tiles.numbers()),
            LayerContent::Objects(layer) => {
                let visible = layer.objects.iter().filter(|object| object.visible);
                gids.extend(visible.filter_map(|object| Some(object.gid? & !flip::ALL)));
            }
            LayerContent::Image(layer) => of_layers.extend(&layer.image),
            LayerContent::Group(_) => {}
        }
    }
    let mut gids: Vec<u32> = gids.into_iter().collect();
    gids.sort_unstable();
    (gids, of_layers)
}

fn own_image(tileset: &Tileset, id: u32) -> Option<&Image> {
    tileset.tiles.get(&id)?.image.as_ref()
}

/// Returns the colour of an LDtk IntGrid value, which has no picture. `None` for any other tile.
fn value_color(tileset: &Tileset, id: u32) -> Option<Color> {
    let tile = tileset.tiles.get(&id).filter(|_| tileset.class == INT_GRID)?;
    let PropertyValue::Text(color) = &tile.properties.get("color")?.value else { return None };
    super::color(color)
}

/// Returns the whole picture of `size` pixels, or the part of it that the map uses.
fn whole(image: &Image, size: UVec2) -> Option<Paint<'_>> {
    let all = Aabb { min: IVec2::ZERO, max: size.min(UVec2::splat(i32::MAX as u32)).as_ivec2() };
    seen(image, image.part.unwrap_or(all), size)
}

/// Returns the part `source` of a picture of `size` pixels. Returns `None` if `source` is empty or starts
/// outside the picture.
fn seen(image: &Image, source: Aabb, size: UVec2) -> Option<Paint<'_>> {
    let is_inside = source.min.min_element() >= 0 && source.min.as_uvec2().cmplt(size).all();
    (is_inside && !source.is_empty()).then_some(Paint::Picture { image, source })
}

/// Returns the area of the tile `id` in its tileset's picture of `size` pixels. Returns `None` if the picture
/// does not contain the whole tile. The stated number of columns is ignored, because the picture may have
/// changed.
fn tile_part(tileset: &Tileset, id: u32, size: UVec2) -> Option<Aabb> {
    let tile = tileset.tile_size.as_i64vec2();
    let margin = i64::from(tileset.margin);
    let size = size.as_i64vec2();
    let stride = tile + i64::from(tileset.spacing);
    let room = size.x - tile.x - margin;
    if room < 0 || tile.min_element() == 0 {
        return None;
    }
    let columns = room / stride.x + 1;
    let id = i64::from(id);
    let min = I64Vec2::new(id % columns, id / columns) * stride + margin;
    let max = min + tile;
    let is_in = max.cmple(size.min(I64Vec2::splat(i32::MAX.into()))).all();
    is_in.then(|| Aabb { min: min.as_ivec2(), max: max.as_ivec2() })
}

/// Returns the clockwise rotation by `degrees`. Quarter turns are exact.
fn turn(degrees: f64) -> DMat2 {
    let quarters = degrees / 90.0;
    let ahead = if quarters.fract() != 0.0 {
        direction(degrees.to_radians())
    } else {
        match quarters.rem_euclid(4.0) as u32 {
            1 => DVec2::Y,
            2 => DVec2::NEG_X,
            3 => DVec2::NEG_Y,
            _ => DVec2::X,
        }
    };
    DMat2::from_cols(ahead, ahead.perp())
}
