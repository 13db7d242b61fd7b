// One hero, every door, one hash: the same script of keys as in the other languages. mono Hero.exe level.tmx
using System;
using Bitwall;

static class Program
{
    static void Main(string[] arguments)
    {
        var level = Level.Load(arguments[0]);
        var world = World.New(60);
        var spawn = level.Marker(level.FindMarker("player"));
        int left = spawn.AtX, top = spawn.AtY;
        int hero = world.AddCharacter(left - 6, top - 20, 12, 20, Kind.Platformer);
        int lift = world.AddPlatform(left + 40, top - 40, 48, 8, true);
        int wheel = world.AddPlatform(left + 120, top - 60, 32, 8, false);
        int crate = world.AddPushable(left + 24, top - 60, 14, 14, 2, 900);
        world.SetPath(lift, new[] { left + 40, top - 40, left + 100, top - 80 }, 45, 0.5f, false);
        world.SetCircle(wheel, left + 120, top - 60, 30, 4);
        world.SetCategories(crate, 4, ulong.MaxValue, 0);
        world.SetCategories(hero, 2, ulong.MaxValue, 5);
        var feel = Feel.Usual();
        feel.JumpHeight = 56;
        feel.AirJumps = 1;
        feel.DashSpeed = 240;
        world.SetPlayer(hero, feel);

        long keys = 1, events = 0;
        ulong hash = 0;
        int x = 0;
        bool jump = false;
        Patch patch = null;
        World kept = null;
        for (int i = 0; i < 100000; i++)
        {
            keys = keys * 16807 % 2147483647;
            if (i % 16 == 0)
            {
                x = (int)(keys % 3) - 1;
                jump = keys % 4 == 0;
            }
            world.SetInput(hero, x, 0, jump, keys % 97 == 0);
            if (i % 1000 == 500)
            {
                var at = world.Bounds(hero);
                patch = level.Patch(at.X - 32, at.Y - 32, 96, 96);
                level.SetDisc(at.X, at.Y + 24, 12, false);
            }
            if (i % 1000 == 999)
            {
                level.Apply(patch);
                patch.Dispose();
            }
            world.Step(level);
            events += world.Events().Length;
            if (i == 50000) kept = world.Copy();
            if (i == 60000) world.Restore(kept);
            if (i % 100 == 0) hash = (hash << 5 | hash >> 59) ^ world.Checksum() ^ level.Checksum();
        }
        var box = world.Bounds(hero);
        Console.WriteLine("{0:x16} {1} {2} {3}", hash, events, box.X, box.Y);
    }
}
