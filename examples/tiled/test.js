// The part of test.sh that runs in Tiled, before the extension: a stand-in for `tiled` that keeps what the
// extension says, and does what a person would do. Tiled loads this file again where the extension takes old
// issues back; the log then says how far the test is.
var test = { tiled: tiled, clicks: [], log: "", program: null };
{
    const process = new Process();
    test.log = process.getEnv("BITWALL_TEST_LOG");
    const isSecond = File.exists(test.log);

    const say = text => {
        const file = new TextFile(test.log, File.exists(test.log) ? TextFile.Append : TextFile.WriteOnly);
        file.writeLine(text);
        file.commit();
    };

    const issue = (kind, text, click) => {
        say(kind + ": " + text);
        test.clicks.push(click);
        test.tiled[kind](text, click);
        if (isSecond && test.program === null)
            lastSteps();
    };

    const spoken = {
        error: (text, click) => issue("error", text, click),
        warn: (text, click) => issue("warn", text, click),
        alert: text => say("alert: " + text),
        confirm: text => say("confirm: " + text) || true,
        prompt: (text, now) => text.startsWith("The program") ? test.program : now,
    };
    tiled = new Proxy({}, {
        get: (_, key) => {
            const real = test.tiled[key];
            if (spoken[key])
                return spoken[key];
            const isMethod = typeof real === "function" && !real.connect;
            return isMethod ? (...all) => real.apply(test.tiled, all) : real;
        },
        set: (_, key, value) => {
            test.tiled[key] = value;
            return true;
        },
    });

    const firstSteps = map => {
        tiled.trigger("BitwallCheck");
        for (const click of test.clicks.slice()) {
            click();
            say("click: objects [" + map.selectedObjects.map(it => it.name) + "], layers ["
                + map.selectedLayers.map(it => it.name) + "], modified " + map.modified);
        }
        tiled.trigger("BitwallPreview");
        const layers = map.layers.map(it => it.name);
        say("preview: layers [" + layers + "], modified " + map.modified);
        say("step: a fault is repaired");
        map.layers.find(layer => layer.name === "Markers").removeProperty("solid");
        tiled.trigger("Save"); // The extension now has the scripts loaded again.
    };

    const lastSteps = () => {
        say("step: the program is gone");
        test.program = "/no such folder/bitwall";
        tiled.trigger("BitwallSettings");
        say("done");
    };

    if (!isSecond) {
        say("Tiled " + tiled.version);
        tiled.activeAssetChanged.connect(asset => {
            try {
                if (asset && asset.isTileMap)
                    firstSteps(asset);
            } catch (error) {
                say("FAILED: " + error + "\n" + error.stack);
            }
        });
    } else {
        say("step: loaded again");
    }
}
