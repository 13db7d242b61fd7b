// Nanoseconds a call, the best of many short rounds, for ../../speed.sh: mono Speed.exe level.tmx
using System;
using System.Diagnostics;
using System.Runtime.InteropServices;
using Bitwall;

static class Program
{
    [DllImport("bitwall_c")] static extern int bitwall_error_code();

    static void Measure(string name, int count, Action<int> run)
    {
        double best = 1e9;
        for (int round = 0; round < 60; round++)
        {
            var watch = Stopwatch.StartNew();
            run(count);
            best = Math.Min(best, watch.Elapsed.TotalMilliseconds * 1e6 / count);
        }
        Console.WriteLine("C# in Mono\t{0}\t{1:F1}", name, best);
    }

    static void Main(string[] arguments)
    {
        var level = Level.Load(arguments[0]);
        var hero = Platformer.New(40, 40, 12, 20, 60);
        long sum = 0;
        Measure("nothing", 50000, n => { for (int i = 0; i < n; i++) sum += bitwall_error_code(); });
        Measure("can_move", 50000, n => {
            for (int i = 0; i < n; i++) if (level.CanMove(40 + (i & 255), 40 + (i & 63), 12, 20, Dir.Right, 4)) sum++;
        });
        Measure("sweep", 50000, n => {
            for (int i = 0; i < n; i++) sum += level.Sweep(40 + (i & 255), 40 + (i & 63), 12, 20, Dir.Down, 200).Moved;
        });
        var questions = new int[300000];
        for (int i = 0; i < 50000; i++)
            new[] { 40 + (i & 255), 40 + (i & 63), 12, 20, 1, 4 }.CopyTo(questions, 6 * i);
        var answers = new byte[50000];
        Measure("can_move_all", 50000, n => level.CanMoveAll(questions, answers));
        Measure("step", 10000, n => {
            for (int i = 0; i < n; i++) hero.Step(level, (i / 300 & 1) * 2 - 1, 0, (i & 63) < 9, false);
        });
        if (sum == 0) Console.WriteLine("no answer");
    }
}
