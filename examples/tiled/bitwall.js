// bitwall in Tiled 1.8 and newer: checks a map when it is saved, lists the findings in the Issues view with a
// way to each place, and draws solids, ways and places over the map. See README.md beside this file.
//
// Never changes a map: the drawing is the preview of a tool, which Tiled keeps apart from the document.
(function (script) { // All extensions share one scope, so all names are in this function.
"use strict";

// 1. Settings. They are beside Tiled's own, outside of the folder that Tiled watches for scripts.
const home = FileInfo.path(tiled.extensionsPath);
const settings = { program: "bitwall", options: "", onSave: true };

function readJson(name) {
    try {
        const file = new TextFile(home + "/" + name, TextFile.ReadOnly);
        const text = file.readAll();
        file.close();
        return JSON.parse(text);
    } catch (error) {
        return {}; // There is no such file yet, or somebody has edited it.
    }
}

function writeJson(name, value) {
    const file = new TextFile(home + "/" + name, TextFile.WriteOnly);
    file.write(JSON.stringify(value, null, 4) + "\n");
    file.commit();
}

function askSettings() {
    const label = "The program, with its folder if it is not found:";
    const program = tiled.prompt(label, settings.program, "bitwall").trim();
    if (program === "") // Cancelled.
        return;
    settings.program = program;
    settings.options = tiled.prompt("Options of `bitwall verify`, such as --body 12x20 --select open-border:",
        settings.options, "bitwall");
    writeJson("bitwall.json", settings);
    checkActive();
}

// 2. The program. It runs in the folder of the map; the bitwall.toml there or above it counts.
const PATIENCE = 60000; // milliseconds

// Returns the exit code and both outputs, or null, and then the Issues view says why.
function run(file, words) {
    const process = new Process();
    process.workingDirectory = FileInfo.path(file);
    process.codec = "UTF-8";
    if (!process.start(settings.program, words)) {
        tiled.error("bitwall: there is no program `" + settings.program + "`. Double-click here to say where"
            + " it is (Map > bitwall: Settings); `cargo install bitwall-cli` installs it.", askSettings);
        return null;
    }
    if (!process.waitForFinished(PATIENCE)) {
        process.kill();
        tiled.error("bitwall: stopped after a minute without an answer about " + file);
        return null;
    }
    const result = { code: process.exitCode, out: process.readStdOut(), err: process.readStdErr().trim() };
    process.close();
    return result;
}

// 3. The check, and its findings in the Issues view.
const JSON_VERSION = 2;
let reports = {}; // The findings by the path of the map.

function check(map) {
    const file = map.fileName;
    const words = settings.options.match(/"[^"]*"|[^\s"]+/g) || []; // A word in quotes may have blanks.
    const options = words.map(word => word.replace(/"/g, ""));
    const result = run(file, ["verify", "--format", "json"].concat(options, [file]));
    if (result === null)
        return;
    if (result.code !== 0 && result.code !== 1) { // An option or the bitwall.toml is at fault.
        tiled.error("bitwall: " + (result.err || "exit code " + result.code), askSettings);
        return;
    }
    const report = JSON.parse(result.out);
    if (report.version !== JSON_VERSION) {
        tiled.error("bitwall: the program is of another version than this extension", askSettings);
        return;
    }
    const before = (reports[file] || []).map(textOf);
    reports[file] = report.findings;
    const now = report.findings.map(textOf);
    if (before.some(text => now.indexOf(text) === -1))
        clearIssues();
    else
        show(file, report.findings.filter(finding => before.indexOf(textOf(finding)) === -1));
    tiled.log("bitwall: " + FileInfo.fileName(file) + ": " + report.errors + " errors, " + report.warnings
        + " warnings, " + report.notes + " notes");
}

function textOf(finding) {
    const place = finding.place;
    let where = FileInfo.fileName(finding.path);
    where += place.layer ? ", layer " + place.layer : "";
    where += place.object !== null ? ", object " + place.object : "";
    where += place.cell ? ", column " + place.cell[0] + ", row " + place.cell[1] : "";
    const help = finding.help ? " - " + finding.help : "";
    return "bitwall " + finding.code + ": " + finding.headline + " (" + where + ")" + help;
}

function show(file, findings) {
    for (const finding of findings) {
        if (finding.severity === "error")
            tiled.error(textOf(finding), () => jump(file, finding));
        else if (finding.severity === "warning")
            tiled.warn(textOf(finding), () => jump(file, finding));
        else
            tiled.log(textOf(finding)); // The Issues view has no notes; the Console has.
    }
}

// No function of Tiled takes an issue back. Tiled drops the issues of all extensions when it loads these
// again, and does so when a file in their folder comes or goes. A file carries the other findings over.
function clearIssues() {
    try {
        writeJson("bitwall-carried.json", { reports: reports, isPreview: isPreview });
        const flag = FileInfo.path(script) + "/reload";
        if (File.exists(flag))
            File.remove(flag);
        else
            new TextFile(flag, TextFile.WriteOnly).commit();
    } catch (error) {
        tiled.log("bitwall: old issues stay in the list: " + error);
    }
}

function takeCarried() {
    const carried = readJson("bitwall-carried.json");
    if (!carried.reports)
        return;
    File.remove(home + "/bitwall-carried.json");
    for (const file in carried.reports) {
        if (openMap(file)) {
            reports[file] = carried.reports[file];
            show(file, reports[file]);
        }
    }
    if (carried.isPreview)
        tiled.trigger("BitwallPreview");
}

// 4. From a finding to its place.
function openMap(file) {
    return tiled.openAssets.find(asset => asset.isTileMap && asset.fileName === file);
}

function jump(file, finding) {
    const isWhole = FileInfo.isAbsolutePath(finding.path);
    const path = isWhole ? finding.path : FileInfo.joinPaths(FileInfo.path(file), finding.path);
    const isOfMap = FileInfo.cleanPath(path) === FileInfo.cleanPath(file);
    const map = isOfMap ? openMap(file) || tiled.open(file) : null;
    if (!map) {
        if (!/\.(tmx|tmj|tsx|tsj)$/i.test(path) || !tiled.open(FileInfo.cleanPath(path)))
            tiled.alert(path + ": " + finding.headline + "\n\n" + finding.help, "bitwall");
        return;
    }
    tiled.activeAsset = map;
    const place = finding.place;
    const layers = layersOf(map);
    const layer = layers.find(it => it.path === place.layer);
    if (layer)
        map.selectedLayers = [layer.layer];
    const objects = layers.map(it => it.layer.isObjectLayer ? it.layer.objects : []);
    const object = [].concat(...objects).find(it => it.id === place.object);
    const area = finding.area;
    let at = null;
    map.selectedObjects = object ? [object] : [];
    if (object) {
        at = map.pixelToScreen(object.x + object.width / 2, object.y + object.height / 2);
    } else if (place.cell) {
        map.selectedArea.set(Qt.rect(place.cell[0], place.cell[1], 1, 1));
        at = map.tileToScreen(place.cell[0] + 0.5, place.cell[1] + 0.5);
    } else if (area && !map.infinite) {
        at = map.pixelToScreen(area[0] + area[2] / 2, area[1] + area[3] / 2);
    }
    if (at)
        tiled.mapEditor.currentMapView.centerOn(at.x, at.y);
}

// Returns all layers, each with its path as bitwall writes it: the names of its groups and its own.
function layersOf(parent, above) {
    let found = [];
    for (let index = 0; index < parent.layerCount; index++) {
        const layer = parent.layerAt(index);
        const path = above === undefined ? layer.name : above + "/" + layer.name;
        found.push({ layer: layer, path: path });
        if (layer.isGroupLayer)
            found = found.concat(layersOf(layer, path));
    }
    return found;
}

// 5. The preview: a tool that draws over the map while it is chosen.
let isPreview = false;

const tool = tiled.registerTool("BitwallPreview", {
    name: "bitwall: Preview of solids and ways",
    activated: function () {
        isPreview = true;
        chooseTileLayer(tiled.activeAsset);
        draw(tiled.activeAsset);
    },
    deactivated: function () {
        isPreview = false;
    },
    mapChanged: function (before, after) {
        if (isPreview && after)
            draw(after);
    },
});

// Tiled draws the preview of a tool only if a visible tile layer is chosen. For another kind of layer, it
// soon goes back to the tool that was last used on it; the way there and back makes that this tool.
function chooseTileLayer(map) {
    const layers = layersOf(map).map(it => it.layer).filter(it => it.isTileLayer && it.visible);
    const before = map.currentLayer;
    if (layers.length > 0 && layers.indexOf(before) === -1) {
        for (const layer of [layers[0], before, layers[0]])
            map.currentLayer = layer;
    }
}

function draw(map) {
    const file = map.fileName;
    const screen = ["-c", "level.space=screen", file];
    const about = file && run(file, ["info", "--format", "json"].concat(screen));
    if (!about)
        return;
    const isFlat = map.orientation === TileMap.Orthogonal;
    const info = about.code === 0 ? JSON.parse(about.out) : null;
    const picture = info && pictureOf(file, info, screen, isFlat ? reports[file] || [] : []);
    if (!picture) {
        tiled.error("bitwall: no preview of " + FileInfo.fileName(file) + ": " + about.err, askSettings);
        return;
    }
    // One tile as large as the map. Tiled sets its lower left corner on that of its cell, and draws the part
    // between the cells that are set: so there is a clear tile in the opposite corner.
    const columns = isFlat ? Math.ceil(info.width_px / map.tileWidth) : map.width;
    const rows = isFlat ? Math.ceil(info.height_px / map.tileHeight) : map.height;
    const column = isFlat ? Math.floor(info.origin[0] / map.tileWidth) : 0;
    const row = isFlat ? Math.floor(info.origin[1] / map.tileHeight) : 0;
    const cell = map.tileToScreen(column, row + rows - 1);
    const left = map.orientation === TileMap.Isometric ? cell.x - map.tileWidth / 2 : cell.x;
    const bottom = cell.y + map.tileHeight;
    const tileset = new Tileset("bitwall");
    tileset.setTileSize(map.tileWidth, map.tileHeight);
    tileset.tileOffset = Qt.point(info.origin[0] - left, info.origin[1] + info.height_px - bottom);
    const tile = tileset.addTile();
    tile.setImage(picture); // Before the next tile: else Tiled 1.8 does not learn how large the largest is.
    const corner = tileset.addTile();
    corner.setImage(new Image(1, 1, Image.Format_ARGB32));
    const preview = new TileMap();
    preview.orientation = map.orientation;
    preview.infinite = true;
    preview.setTileSize(map.tileWidth, map.tileHeight);
    preview.addTileset(tileset);
    const layer = new TileLayer("bitwall");
    const edit = layer.edit();
    edit.setTile(column, row + rows - 1, tile);
    edit.setTile(column + columns - 1, row, corner);
    edit.apply();
    preview.addLayer(layer);
    tool.preview = preview;
}

// Lets the program draw the level on white ground. Returns this picture with clear ground and the findings.
function pictureOf(file, info, screen, findings) {
    const ground = home + "/bitwall-ground.png";
    const target = home + "/bitwall-preview.png";
    const white = new Image(info.width_px, info.height_px, Image.Format_RGB32);
    white.fill(0xffffff);
    white.save(ground);
    const words = ["render", "--art", ground, "-o", target].concat(screen);
    // Without a body that has moves, there are no ways to draw.
    const isDrawn = [words.concat("--reach"), words].some(it => (run(file, it) || { code: 2 }).code === 0);
    const picture = isDrawn ? withoutWhite(new Image(target), findings) : null;
    File.remove(ground);
    if (isDrawn)
        File.remove(target);
    return picture;
}

// Makes white clear, and a mixture with white as clear as it is white. A script reads single pixels slowly,
// but the bytes of an image fast: those of a BMP, three a pixel, from the last row to the first.
function withoutWhite(image, findings) {
    const file = image.saveToData("BMP");
    const bytes = new Uint8Array(file);
    const start = new DataView(file).getUint32(10, true);
    const stride = image.width * 3 + 3 & ~3;
    const pixels = new Uint32Array(image.width * image.height);
    for (let row = 0; row < image.height; row++) {
        let from = start + (image.height - 1 - row) * stride;
        for (let to = row * image.width; to < (row + 1) * image.width; to++, from += 3) {
            const alpha = 255 - Math.min(bytes[from], bytes[from + 1], bytes[from + 2]);
            for (let part = 0; part < 3 && alpha > 0; part++)
                pixels[to] |= 255 - (255 - bytes[from + part]) * 255 / alpha << 8 * part;
            pixels[to] |= alpha << 24;
        }
    }
    findings.forEach(finding => mark(finding, pixels, image.width));
    return new Image(pixels.buffer, image.width, image.height, image.width * 4, Image.Format_ARGB32);
}

// Draws the box of a finding, and the way that ends there, as lines of 2 pixels.
function mark(finding, pixels, width) {
    const [x, y, w, h] = finding.area || [0, 0, 0, 0];
    const box = [[x, y], [x + w - 2, y], [x + w - 2, y + h - 2], [x, y + h - 2], [x, y]];
    for (const path of w > 0 ? [box, finding.trace] : []) {
        for (let index = 1; index < path.length; index++) {
            const [a, b] = [path[index - 1], path[index]];
            const steps = Math.max(Math.abs(b[0] - a[0]), Math.abs(b[1] - a[1]), 1);
            for (let step = 0; step <= steps; step++) {
                const column = Math.round(a[0] + (b[0] - a[0]) * step / steps);
                const to = Math.round(a[1] + (b[1] - a[1]) * step / steps) * width + column;
                for (const pixel of [to, to + 1, to + width, to + width + 1])
                    pixels[pixel] = 0xffffd000;
            }
        }
    }
}

// 6. What starts a check.
function checkSaved(asset) {
    (asset.isTileMap ? [asset] : mapsWith(asset)).forEach(check);
    if (isPreview && tiled.activeAsset.isTileMap)
        draw(tiled.activeAsset);
}

// A tileset is checked in its maps: those that are open.
function mapsWith(tileset) {
    const maps = tiled.openAssets.filter(asset => asset.isTileMap && asset.fileName);
    return maps.filter(map => map.tilesets.some(used => used.fileName === tileset.fileName));
}

function checkActive() {
    const asset = tiled.activeAsset;
    if (!asset)
        return;
    if (!asset.fileName) {
        tiled.alert("Save this first: bitwall checks the file, with the tilesets beside it.", "bitwall");
    } else if (asset.isTileset && mapsWith(asset).length === 0) {
        tiled.alert("Open a map that uses this tileset: bitwall checks a tileset in its maps.", "bitwall");
    } else if (asset.modified && tiled.confirm("bitwall checks what is saved. Save now?", "bitwall")) {
        tiled.trigger("Save");
        if (!settings.onSave)
            checkSaved(asset);
    } else {
        checkSaved(asset);
    }
}

Object.assign(settings, readJson("bitwall.json"));
tiled.assetSaved.connect(asset => settings.onSave && checkSaved(asset));

const onCheck = tiled.registerAction("BitwallCheck", checkActive);
onCheck.text = "bitwall: Check";
onCheck.shortcut = "Ctrl+Shift+B";
const onSave = tiled.registerAction("BitwallOnSave", action => {
    settings.onSave = action.checked;
    writeJson("bitwall.json", settings);
});
onSave.text = "bitwall: Check When Saved";
onSave.checkable = true;
onSave.checked = settings.onSave;
tiled.registerAction("BitwallSettings", askSettings).text = "bitwall: Settings...";

const entries = ["BitwallCheck", "BitwallOnSave", "BitwallSettings"].map(action => ({ action: action }));
tiled.extendMenu("Tileset", [{ separator: true }].concat(entries));
tiled.extendMenu("Map", [{ separator: true }, { action: "BitwallPreview" }].concat(entries));
takeCarried();
})(__filename);
