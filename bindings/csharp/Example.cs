// A hero in a level that is drawn in a window: arrows walk, up or space jumps. mono example.exe level.tmx
using System.Collections.Generic;
using System.Drawing;
using System.Windows.Forms;
using Bitwall;

sealed class Example : Form
{
    readonly Level level;
    readonly Platformer hero;
    readonly Bitmap art;
    readonly HashSet<Keys> keys = new HashSet<Keys>();

    Example(string path)
    {
        level = Level.Load(path);
        var spawn = level.Marker(level.FindMarker("player"));
        hero = Platformer.New(spawn.AtX - 6, spawn.AtY - 20, 12, 20, 60);
        art = Draw(level);
        SetBounds(0, 0, 960, 540);
        DoubleBuffered = true;
        KeyDown += (sender, key) => keys.Add(key.KeyCode);
        KeyUp += (sender, key) => keys.Remove(key.KeyCode);
        new Timer { Interval = 1000 / 60, Enabled = true }.Tick += (sender, tick) => Step();
    }

    // A part of a picture is mirrored, then turned about its middle.
    static Bitmap Draw(Level level)
    {
        var scene = level.Scene();
        var pictures = System.Array.ConvertAll(scene.Pictures().Split('\n'), path => new Bitmap(path));
        var art = new Bitmap(level.Size().Width, level.Size().Height);
        var brush = Graphics.FromImage(art);
        foreach (var it in scene.All())
        {
            if (it.Picture < 0) continue;
            brush.ResetTransform();
            brush.TranslateTransform(it.X, it.Y);
            brush.RotateTransform(it.Degrees);
            brush.ScaleTransform(it.FlipX ? -1 : 1, it.FlipY ? -1 : 1);
            var part = new RectangleF(it.SourceX, it.SourceY, it.SourceW, it.SourceH);
            var at = new RectangleF(-it.W / 2, -it.H / 2, it.W, it.H);
            brush.DrawImage(pictures[it.Picture], at, part, GraphicsUnit.Pixel);
        }
        return art;
    }

    void Step()
    {
        int x = (keys.Contains(Keys.Right) ? 1 : 0) - (keys.Contains(Keys.Left) ? 1 : 0);
        hero.Step(level, x, 0, keys.Contains(Keys.Up) || keys.Contains(Keys.Space), false);
        Invalidate();
    }

    protected override void OnPaint(PaintEventArgs paint)
    {
        var box = hero.Bounds();
        var view = paint.Graphics;
        view.Clear(Color.LightSkyBlue);
        view.InterpolationMode = System.Drawing.Drawing2D.InterpolationMode.NearestNeighbor;
        view.ScaleTransform(2, 2);
        view.TranslateTransform(240 - box.X, 135 - box.Y);
        view.DrawImage(art, 0, 0, art.Width, art.Height);
        view.FillRectangle(Brushes.Crimson, box.X, box.Y, box.W, box.H);
    }

    static void Main(string[] arguments) => Application.Run(new Example(arguments[0]));
}
