// The rows of bad_arguments.tsv for C through C#: mono BadArguments.exe bad_arguments.tsv
// The types of C# permit no other values, and no flag but true and false.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using Bitwall;

static class Program
{
    static void Main(string[] arguments)
    {
        var level = Level.New(40, 20, 16, 8);
        var mover = Mover.New(8, 8, 8, 8, Kind.Platformer);
        var good = new Dictionary<string, int> {
            { "x", 0 }, { "y", 0 }, { "w", 8 }, { "h", 8 }, { "dir", 1 }, { "step", 3 }, { "side", 1 }, { "column", 1 },
            { "row", 1 }, { "radius", 3 }, { "kind", 1 }, { "columns", 4 }, { "rows", 4 }, { "cell_width", 8 },
            { "cell_height", 8 }, { "step_height", 4 }, { "snap_distance", 4 } };
        var world = World.New(60);
        var body = world.AddCharacter(8, 8, 8, 8, Kind.Platformer);
        var hero = Platformer.New(8, 8, 8, 8, 60);
        var functions = new Dictionary<string, KeyValuePair<string, Action<int[]>>>();
        Action<string, string, Action<int[]>> add =
            (name, names, call) => functions.Add(name, new KeyValuePair<string, Action<int[]>>(names, call));
        var speeds = new Dictionary<string, Action<float>> {
            { "velocity", speed => world.SetVelocity(body, 0, speed) },
            { "gravity", gravity => world.AddPushable(0, 0, 8, 8, 1, gravity) },
            { "jump_height", height => { var feel = hero.Feel(); feel.JumpHeight = height; hero.SetFeel(feel); } },
            { "jump_time", time => { var feel = hero.Feel(); feel.JumpTime = time; hero.SetFeel(feel); } } };
        add("level_new", "columns rows cell_width cell_height", a => Level.New(a[0], a[1], a[2], a[3]));
        add("world_rect", "body", a => world.Bounds(a[0]));
        add("platformer", "fps", a => Platformer.New(8, 8, 8, 8, a[0]));
        add("is_solid", "x y", a => level.IsSolid(a[0], a[1]));
        add("overlaps", "x y w h", a => level.Overlaps(a[0], a[1], a[2], a[3]));
        add("area_overlaps", "x y w h", a => level.AreaOverlaps("water", a[0], a[1], a[2], a[3]));
        add("can_move", "x y w h dir step", a => level.CanMove(a[0], a[1], a[2], a[3], (Dir)a[4], a[5]));
        add("can_move_all", "x y w h dir step", a => level.CanMoveAll(a, new byte[1]));
        add("sweep", "x y w h dir step", a => level.Sweep(a[0], a[1], a[2], a[3], (Dir)a[4], a[5]));
        add("open_side", "side", a => level.OpenSide((Dir)a[0], true));
        add("set_cell", "column row", a => level.SetCell(a[0], a[1], true));
        add("set_box", "x y w h", a => level.SetBox(a[0], a[1], a[2], a[3], true));
        add("set_disc", "x y radius", a => level.SetDisc(a[0], a[1], a[2], true));
        add("mover_new", "x y w h kind", a => Mover.New(a[0], a[1], a[2], a[3], (Kind)a[4]));
        add("mover_steps", "step_height snap_distance", a =>
        {
            var settings = mover.Settings();
            settings.StepHeight = a[0];
            settings.SnapDistance = a[1];
            mover.SetSettings(settings);
        });

        int tried = 0;
        foreach (var line in File.ReadAllLines(arguments[0]))
        {
            var cells = line.Split('\t');
            int value;
            if (cells.Length < 8 || cells[4] == "-") continue;
            float number;
            if (cells[0] != "mover_step" && speeds.ContainsKey(cells[1]) && Number(cells[2], out number))
            {
                Refused(line, cells[4].Replace("=", cells[7]), () => speeds[cells[1]](number));
                tried++;
            }
            if (!functions.ContainsKey(cells[0])) continue;
            var names = new List<string>(functions[cells[0]].Key.Split(' '));
            if (!names.Contains(cells[1]) || !int.TryParse(cells[2], out value)) continue;
            var all = names.ConvertAll(name => name == cells[1] ? value : good[name]).ToArray();
            Refused(line, cells[4].Replace("=", cells[7]), () => functions[cells[0]].Value(all));
            tried++;
        }
        Refused("NaN", "the translation is not finite: it is NaN or infinite", () => mover.Step(level, float.NaN, 0));
        Refused("null", "`path` is null; pass an object that is not", () => Level.Load(null));
        Refused("null", "`level` is null; pass an object that is not", () => mover.Step(null, 0, 0));
        level.Dispose();
        level.Dispose();
        try
        {
            level.IsSolid(0, 0);
            throw new Exception("a freed level answers");
        }
        catch (ObjectDisposedException) { }
        if (tried < 50) throw new Exception(tried + " rows");
        Console.WriteLine("C#: {0} bad arguments in the words of the table", tried);
    }

    static bool Number(string text, out float number)
    {
        number = text == "inf" || text == "1e300" ? float.PositiveInfinity : text == "NaN" ? float.NaN : 0;
        return number != 0 || float.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out number);
    }

    static void Refused(string row, string said, Action call)
    {
        try
        {
            call();
        }
        catch (BitwallException error)
        {
            if (!error.Message.Contains(said)) throw new Exception(row + "\n" + said + "\n" + error.Message);
            return;
        }
        throw new Exception(row + " is not refused");
    }
}
