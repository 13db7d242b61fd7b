// A hero walks through a level for five seconds and jumps at walls: mono example.exe level.tmx
using System;
using Bitwall;

static class Example
{
    static void Main(string[] arguments)
    {
        using (var level = Level.Load(arguments[0]))
        {
            var spawn = level.Marker(level.FindMarker("player"));
            var hero = Platformer.New(spawn.AtX - 6, spawn.AtY - 20, 12, 20, 60);
            var motion = new Motion();
            for (int step = 0; step < 300; step++)
            {
                motion = hero.Step(level, 1, 0, motion.HitRight && step % 2 == 1, false);
                var box = hero.Bounds();
                if (step % 30 == 0) Console.WriteLine("{0,4}, {1,4} {2}", box.X, box.Y, motion.Stance);
            }
        }
    }
}
