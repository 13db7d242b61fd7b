// Written by bindings/doors from bindings/facade; edit those.
// bitwall: level collision for 2D games, for Unity, Godot, MonoGame and all of .NET: C# 7, compiled with
// `-unsafe`. Put this file into the project and the library (bitwall_c.dll, libbitwall_c.so or .dylib) beside
// the program; in Unity into Assets/Plugins. Positions are whole pixels, x to the right, y down; a box covers
// x <= p < x + w. A wrong argument is a BitwallException with a sentence that says what is allowed. Dispose
// frees a handle at once, the collector later.
using System;
using System.Runtime.InteropServices;
using System.Text;

namespace Bitwall
{
    /// <summary>A call failed; the message has the file, the place, the cause and a remedy.</summary>
    public sealed class BitwallException : Exception
    {
        public BitwallException(string message) : base(message) { }
    }

    /// <summary>What bitwall has made: freed by Dispose, or by the collector.</summary>
    public abstract unsafe class Handle : IDisposable
    {
        IntPtr at;
        internal Handle(IntPtr at)
        {
            if (at == IntPtr.Zero) throw Last();
            this.at = at;
        }
        ~Handle() { Dispose(); }
        internal abstract void Free(IntPtr at);
        public void Dispose()
        {
            if (at != IntPtr.Zero) Free(at);
            at = IntPtr.Zero;
            GC.SuppressFinalize(this);
        }
        internal IntPtr At
        {
            get
            {
                if (at == IntPtr.Zero) throw new ObjectDisposedException(GetType().Name);
                return at;
            }
        }
        internal static IntPtr Of(Handle handle, string name)
        {
            if (handle == null) throw Missing(name);
            return handle.At;
        }
        internal static byte[] Utf8(string text, string name)
        {
            if (text == null) throw Missing(name);
            return Encoding.UTF8.GetBytes(text + "\0");
        }
        internal static UIntPtr Count(Array array, string name)
        {
            if (array == null) throw Missing(name);
            return (UIntPtr)(uint)array.Length;
        }
        static BitwallException Missing(string name)
        {
            return new BitwallException("`" + name + "` is null; pass an object that is not");
        }
        internal static int Check(int answer)
        {
            if (answer < -1) throw Last();
            return answer;
        }
        internal static string Text(byte* text)
        {
            if (text == null) throw Last();
            int length = 0;
            while (text[length] != 0) length++;
            var bytes = new byte[length];
            for (int i = 0; i < length; i++) bytes[i] = text[i];
            return Encoding.UTF8.GetString(bytes);
        }
        internal static BitwallException Last()
        {
            return new BitwallException(Text(Native.bitwall_error_text()));
        }
    }

    static unsafe partial class Native
    {
#if (UNITY_IOS || UNITY_WEBGL) && !UNITY_EDITOR
        const string Name = "__Internal";
#else
        const string Name = "bitwall_c";
#endif
        [DllImport(Name)] internal static extern byte* bitwall_error_text();
        [DllImport(Name)] internal static extern byte* bitwall_version();
    }

    /// <summary>What belongs to no class.</summary>
    public static unsafe class Library
    {
        /// <summary>The version of bitwall.</summary>
        public static string Version { get { return Handle.Text(Native.bitwall_version()); } }
    }

    public sealed unsafe partial class Level
    {
        /// <summary>Loads a level whose files the game reads: `read` returns the bytes of a path, or null.
        /// `options` is the text of a `bitwall.toml`, or empty.</summary>
        public static Level Read(string path, Func<string, byte[]> read, string options = "")
        {
            using (var files = Bitwall.Files.New())
            {
                for (var wanted = path; wanted != ""; wanted = files.Wanted(false))
                {
                    var bytes = read(wanted);
                    if (bytes != null) files.Put(wanted, bytes);
                }
                return FromFiles(path, files, options);
            }
        }
    }

    /// <summary>A direction of motion.</summary>
    public enum Dir
    {
        /// <summary>Toward smaller x.</summary>
        Left,
        /// <summary>Toward larger x.</summary>
        Right,
        /// <summary>Toward smaller y.</summary>
        Up,
        /// <summary>Toward larger y.</summary>
        Down,
    }

    /// <summary>A side, or none.</summary>
    public enum Side
    {
        /// <summary>No side.</summary>
        None,
        /// <summary>The left side.</summary>
        Left,
        /// <summary>The right side.</summary>
        Right,
        /// <summary>The upper side.</summary>
        Up,
        /// <summary>The lower side.</summary>
        Down,
    }

    /// <summary>What a body is made for: its first settings.</summary>
    public enum Kind
    {
        /// <summary>A body without a floor that slides along solids.</summary>
        Plain,
        /// <summary>A body that walks on floors, steps and slopes.</summary>
        Platformer,
        /// <summary>A body seen from above, which slips around corners.</summary>
        TopDown,
    }

    /// <summary>The way of a step along both axes.</summary>
    public enum MovePath
    {
        /// <summary>All of x first, then y.</summary>
        XThenY,
        /// <summary>All of y first, then x.</summary>
        YThenX,
        /// <summary>The straight line; a corner of a solid stops the body.</summary>
        Straight,
        /// <summary>The straight line, which may pass between two solid cells that touch at a corner.</summary>
        StraightPastCorners,
    }

    /// <summary>What a body does at a solid.</summary>
    public enum Response
    {
        /// <summary>It stops.</summary>
        Stop,
        /// <summary>It slides along the solid.</summary>
        Slide,
        /// <summary>It bounces off.</summary>
        Bounce,
        /// <summary>It goes through, and the contacts tell what it met.</summary>
        Cross,
    }

    /// <summary>The stance of a platformer.</summary>
    public enum Stance
    {
        /// <summary>It rises or falls.</summary>
        Air,
        /// <summary>It stands on a floor.</summary>
        Ground,
        /// <summary>It falls along a wall.</summary>
        WallSlide,
        /// <summary>It hangs on a ledge.</summary>
        Ledge,
        /// <summary>It climbs onto a ledge.</summary>
        LedgeClimb,
        /// <summary>It is on a ladder.</summary>
        Ladder,
        /// <summary>It swims.</summary>
        Water,
    }

    /// <summary>What a follower does.</summary>
    public enum Follow
    {
        /// <summary>It goes on.</summary>
        Go,
        /// <summary>It is there.</summary>
        Arrived,
        /// <summary>No way is known.</summary>
        NoWay,
    }

    /// <summary>The shape of a marker.</summary>
    public enum MarkerShape
    {
        /// <summary>A rectangle, or a tile.</summary>
        Rectangle,
        /// <summary>A point.</summary>
        Point,
        /// <summary>An ellipse.</summary>
        Ellipse,
        /// <summary>A rectangle with round ends.</summary>
        Capsule,
        /// <summary>The area in a closed line.</summary>
        Polygon,
        /// <summary>An open line, such as the path of a lift.</summary>
        Polyline,
    }

    /// <summary>What happened in a step of a world.</summary>
    public enum EventKind
    {
        /// <summary>A platform, `other`, crushed a body against a solid.</summary>
        Crushed,
        /// <summary>An edit of the level has buried a character.</summary>
        Buried,
        /// <summary>A bullet, or a ball that watches, hit a cell or another body.</summary>
        Hit,
        /// <summary>A body began to touch or overlap another one that it watches.</summary>
        Begin,
        /// <summary>A body still touches or overlaps another one that it watches.</summary>
        Stay,
        /// <summary>A body no longer touches another one that it watches.</summary>
        End,
    }

    /// <summary>A box of whole pixels; it covers x &lt;= p &lt; x + w.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Rect
    {
        /// <summary>The left edge.</summary>
        public int X;
        /// <summary>The top edge.</summary>
        public int Y;
        /// <summary>The width.</summary>
        public int W;
        /// <summary>The height.</summary>
        public int H;
    }

    /// <summary>A place or a vector in pixels, with fractions.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Point
    {
        /// <summary>The part along x.</summary>
        public double X;
        /// <summary>The part along y.</summary>
        public double Y;
    }

    /// <summary>A pixel, if one was found.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Pixel
    {
        byte isFound;
        /// <summary>True if there is such a pixel.</summary>
        public bool Found { get { return isFound != 0; } set { isFound = value ? (byte)1 : (byte)0; } }
        /// <summary>Its x; 0 if there is none.</summary>
        public int X;
        /// <summary>Its y; 0 if there is none.</summary>
        public int Y;
    }

    /// <summary>How a mover moves. Lengths are whole pixels from 0 to 256.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Settings
    {
        /// <summary>The way of a step along both axes.</summary>
        public MovePath Path;
        /// <summary>What the body does at a solid.</summary>
        public Response Response;
        /// <summary>The part of the speed that a bounce keeps, in percent: 0 to 100.</summary>
        public int Restitution;
        /// <summary>The side of the body on which its floor is; none for a view from above.</summary>
        public Side Floor;
        /// <summary>The highest step that the body walks up.</summary>
        public int StepHeight;
        /// <summary>The depth to which the body is kept on a floor that falls away.</summary>
        public int SnapDistance;
        /// <summary>The steepest slope that is a floor: so many pixels up, from 0 to 65535.</summary>
        public int SlopeRise;
        /// <summary>On so many pixels aside; 0 makes every slope a floor.</summary>
        public int SlopeRun;
        byte isWalksAlongSlope;
        /// <summary>True if the speed of a walk counts along the slope, not along the axis.</summary>
        public bool WalksAlongSlope { get { return isWalksAlongSlope != 0; } set { isWalksAlongSlope = value ? (byte)1 : (byte)0; } }
        /// <summary>How far a body that moves left is moved aside to pass a corner.</summary>
        public int CornerLeft;
        /// <summary>The same to the right.</summary>
        public int CornerRight;
        /// <summary>The same upward.</summary>
        public int CornerUp;
        /// <summary>The same downward.</summary>
        public int CornerDown;
        byte isSlidesAroundCorners;
        /// <summary>True if a body that stands against a corner glides around it.</summary>
        public bool SlidesAroundCorners { get { return isSlidesAroundCorners != 0; } set { isSlidesAroundCorners = value ? (byte)1 : (byte)0; } }
        byte isOneWayLeft;
        /// <summary>True if one-way cells stop a body that moves left.</summary>
        public bool OneWayLeft { get { return isOneWayLeft != 0; } set { isOneWayLeft = value ? (byte)1 : (byte)0; } }
        byte isOneWayRight;
        /// <summary>The same to the right.</summary>
        public bool OneWayRight { get { return isOneWayRight != 0; } set { isOneWayRight = value ? (byte)1 : (byte)0; } }
        byte isOneWayUp;
        /// <summary>The same upward.</summary>
        public bool OneWayUp { get { return isOneWayUp != 0; } set { isOneWayUp = value ? (byte)1 : (byte)0; } }
        byte isOneWayDown;
        /// <summary>The same downward.</summary>
        public bool OneWayDown { get { return isOneWayDown != 0; } set { isOneWayDown = value ? (byte)1 : (byte)0; } }
    }

    /// <summary>What a step did.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Motion
    {
        /// <summary>The whole pixels moved along x.</summary>
        public int MovedX;
        /// <summary>The whole pixels moved along y.</summary>
        public int MovedY;
        /// <summary>The velocity along x that the step left: 0 after a solid.</summary>
        public float VelocityX;
        /// <summary>The velocity along y that the step left.</summary>
        public float VelocityY;
        byte isGrounded;
        /// <summary>True if the body stands on its floor.</summary>
        public bool Grounded { get { return isGrounded != 0; } set { isGrounded = value ? (byte)1 : (byte)0; } }
        byte isWasGrounded;
        /// <summary>True if the body stood on its floor before the step.</summary>
        public bool WasGrounded { get { return isWasGrounded != 0; } set { isWasGrounded = value ? (byte)1 : (byte)0; } }
        byte isHitLeft;
        /// <summary>True if a solid stopped the body on its left.</summary>
        public bool HitLeft { get { return isHitLeft != 0; } set { isHitLeft = value ? (byte)1 : (byte)0; } }
        byte isHitRight;
        /// <summary>True if a solid stopped the body on its right.</summary>
        public bool HitRight { get { return isHitRight != 0; } set { isHitRight = value ? (byte)1 : (byte)0; } }
        byte isHitUp;
        /// <summary>True if a solid stopped the body above.</summary>
        public bool HitUp { get { return isHitUp != 0; } set { isHitUp = value ? (byte)1 : (byte)0; } }
        byte isHitDown;
        /// <summary>True if a solid stopped the body below.</summary>
        public bool HitDown { get { return isHitDown != 0; } set { isHitDown = value ? (byte)1 : (byte)0; } }
        byte isStartedSolid;
        /// <summary>True if the body overlapped a solid before the step.</summary>
        public bool StartedSolid { get { return isStartedSolid != 0; } set { isStartedSolid = value ? (byte)1 : (byte)0; } }
        /// <summary>The stance; on the ground or in the air for a body without keys.</summary>
        public Stance Stance;
        /// <summary>The side to which a body with keys looks; none before its first key.</summary>
        public Side Facing;
        byte isJumped;
        /// <summary>True if a body with keys jumped in the step.</summary>
        public bool Jumped { get { return isJumped != 0; } set { isJumped = value ? (byte)1 : (byte)0; } }
    }

    /// <summary>The feel of a platformer: pixels, seconds, pixels a second, pixels a second squared. All
    /// numbers are finite and at least 0, but for `carry`.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Feel
    {
        /// <summary>The direction in which the character falls.</summary>
        public Dir Floor;
        /// <summary>The highest speed of a run.</summary>
        public float TopSpeed;
        /// <summary>The acceleration on a floor.</summary>
        public float Acceleration;
        /// <summary>The loss of speed on a floor without a key.</summary>
        public float Friction;
        /// <summary>The acceleration in the air.</summary>
        public float AirAcceleration;
        /// <summary>The loss of speed in the air without a key.</summary>
        public float AirFriction;
        /// <summary>The height of a jump with the key held.</summary>
        public float JumpHeight;
        /// <summary>The time to the highest point of a jump.</summary>
        public float JumpTime;
        /// <summary>The gravity of a fall, as a multiple of the gravity of a rise.</summary>
        public float FallScale;
        /// <summary>The highest speed of a fall.</summary>
        public float FallLimit;
        /// <summary>Below this speed along y gravity is halved while the jump key is held.</summary>
        public float ApexSpeed;
        /// <summary>The highest speed of a rise after the jump key was released.</summary>
        public float ReleasedSpeed;
        /// <summary>The time for a jump after leaving a floor (coyote time).</summary>
        public float CoyoteTime;
        /// <summary>The number of jumps in the air: 0 to 255.</summary>
        public int AirJumps;
        /// <summary>The time for which a press of the jump key counts.</summary>
        public float BufferTime;
        /// <summary>The highest speed of a fall along a wall.</summary>
        public float WallSlideSpeed;
        /// <summary>The distance to a wall below which it can be jumped from.</summary>
        public int WallReach;
        /// <summary>The part of the body's height that must touch a wall: 0 to 1.</summary>
        public float WallContact;
        /// <summary>The speed of a jump from a wall, away from it.</summary>
        public float WallJumpX;
        /// <summary>The speed of a jump from a wall, upward.</summary>
        public float WallJumpY;
        /// <summary>The time without steering after a jump from a wall.</summary>
        public float WallJumpTime;
        /// <summary>The distance from the body's top up to a ledge that it grabs.</summary>
        public int LedgeReach;
        /// <summary>The time of a climb onto a ledge.</summary>
        public float LedgeTime;
        /// <summary>The speed of a dash; 0 without dashes.</summary>
        public float DashSpeed;
        /// <summary>The time of a dash.</summary>
        public float DashTime;
        /// <summary>The time after a dash without another.</summary>
        public float DashWait;
        /// <summary>The height of a crouching body; 0 without crouching.</summary>
        public int CrouchHeight;
        /// <summary>The highest speed while crouching.</summary>
        public float CrouchSpeed;
        /// <summary>The velocity of wind or a stream along x, of either sign.</summary>
        public float CarryX;
        /// <summary>The velocity of wind or a stream along y, of either sign.</summary>
        public float CarryY;
        /// <summary>The highest speed that a jump takes over from a platform.</summary>
        public float MomentumLimit;
        /// <summary>The time for which a jump still takes over a platform's speed.</summary>
        public float MomentumTime;
        /// <summary>The speed on a ladder.</summary>
        public float ClimbSpeed;
        /// <summary>The distance by which a climbing body moves to the middle of its ladder.</summary>
        public int LadderSnap;
        /// <summary>The highest speed in water.</summary>
        public float SwimSpeed;
        /// <summary>The acceleration in water.</summary>
        public float SwimAcceleration;
        /// <summary>The speed at which a body in water rises by itself.</summary>
        public float FloatSpeed;
        /// <summary>Returns the usual feel, for tiles of 16 pixels.</summary>
        public static Feel Usual() { { Feel found; Handle.Check(Native.bitwall_feel_usual(&found)); return found; } }
    }

    /// <summary>A part of a picture at its place in the level. Turn it about its middle after it is
    /// mirrored.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Sprite
    {
        /// <summary>The number of the picture in `Scene.pictures`, from 0; -1 for a box of one
        /// colour.</summary>
        public int Picture;
        /// <summary>The left edge of the part in the picture.</summary>
        public int SourceX;
        /// <summary>The top edge of the part.</summary>
        public int SourceY;
        /// <summary>The width of the part.</summary>
        public int SourceW;
        /// <summary>The height of the part.</summary>
        public int SourceH;
        /// <summary>The middle of the drawing along x, in pixels of the level (of the screen for an isometric
        /// map).</summary>
        public float X;
        /// <summary>The middle of the drawing along y.</summary>
        public float Y;
        /// <summary>The width to which the part is scaled.</summary>
        public float W;
        /// <summary>The height to which the part is scaled.</summary>
        public float H;
        byte isFlipX;
        /// <summary>True if the part is mirrored left to right.</summary>
        public bool FlipX { get { return isFlipX != 0; } set { isFlipX = value ? (byte)1 : (byte)0; } }
        byte isFlipY;
        /// <summary>True if the part is mirrored top to bottom.</summary>
        public bool FlipY { get { return isFlipY != 0; } set { isFlipY = value ? (byte)1 : (byte)0; } }
        /// <summary>The clockwise rotation in degrees.</summary>
        public float Degrees;
        byte isRepeatX;
        /// <summary>True for a picture that repeats to the left and right without limit.</summary>
        public bool RepeatX { get { return isRepeatX != 0; } set { isRepeatX = value ? (byte)1 : (byte)0; } }
        byte isRepeatY;
        /// <summary>True for a picture that repeats upward and downward without limit.</summary>
        public bool RepeatY { get { return isRepeatY != 0; } set { isRepeatY = value ? (byte)1 : (byte)0; } }
        /// <summary>The red part of the tint, or of the one colour: 0 to 1.</summary>
        public float Red;
        /// <summary>The green part.</summary>
        public float Green;
        /// <summary>The blue part.</summary>
        public float Blue;
        /// <summary>The opacity: 0 (clear) to 1.</summary>
        public float Alpha;
        /// <summary>The number of the layer in `Scene.layers`, from 0.</summary>
        public int Layer;
        /// <summary>How many pixels the layer moves along x for one of the camera; usually 1.</summary>
        public float ParallaxX;
        /// <summary>How many pixels the layer moves along y for one of the camera.</summary>
        public float ParallaxY;
    }

    /// <summary>The size of a level in pixels.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Size
    {
        /// <summary>The width of the level.</summary>
        public int Width;
        /// <summary>The height of the level.</summary>
        public int Height;
        /// <summary>The width of a cell.</summary>
        public int CellWidth;
        /// <summary>The height of a cell.</summary>
        public int CellHeight;
    }

    /// <summary>How far a box can move, and what stops it.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Sweep
    {
        /// <summary>The pixels that the box moves.</summary>
        public int Moved;
        byte isHit;
        /// <summary>True if something stops the box; if not, the other numbers say nothing.</summary>
        public bool Hit { get { return isHit != 0; } set { isHit = value ? (byte)1 : (byte)0; } }
        /// <summary>The column of the cell that stops the box.</summary>
        public int Column;
        /// <summary>The row of the cell that stops the box.</summary>
        public int Row;
        /// <summary>The normal along x: out of the solid, toward the box.</summary>
        public int NormalX;
        /// <summary>The normal along y.</summary>
        public int NormalY;
        /// <summary>The body of a world that stops the box; -1 for a cell.</summary>
        public int Body;
    }

    /// <summary>The first solid on a straight line.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Ray
    {
        byte isHit;
        /// <summary>True if there is a solid; if not, the other numbers say nothing.</summary>
        public bool Hit { get { return isHit != 0; } set { isHit = value ? (byte)1 : (byte)0; } }
        /// <summary>The solid pixel that the line enters first: its x.</summary>
        public int X;
        /// <summary>The y of the pixel.</summary>
        public int Y;
        /// <summary>The column of the pixel's cell.</summary>
        public int Column;
        /// <summary>The row of the pixel's cell.</summary>
        public int Row;
        /// <summary>The normal of the side through which the line enters; 0 and 0 if the line starts in a
        /// solid.</summary>
        public int NormalX;
        /// <summary>The normal along y.</summary>
        public int NormalY;
        /// <summary>The body of a world that the line hits; -1 for a cell.</summary>
        public int Body;
        /// <summary>The part of the line before the hit, from 0 to 1.</summary>
        public double Fraction;
    }

    /// <summary>What the map's maker placed and what stops nobody: a spawn, a door, a path.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Marker
    {
        /// <summary>The left edge of the box around the marker as it is drawn.</summary>
        public int X;
        /// <summary>The top edge of the box.</summary>
        public int Y;
        /// <summary>The width of the box; 0 for a point.</summary>
        public int W;
        /// <summary>The height of the box; 0 for a point.</summary>
        public int H;
        /// <summary>The x of the point, or of the middle of the box.</summary>
        public int AtX;
        /// <summary>The y of the point, or of the middle of the box.</summary>
        public int AtY;
        /// <summary>The shape.</summary>
        public MarkerShape Shape;
        /// <summary>The clockwise rotation in degrees, which the box includes.</summary>
        public float Rotation;
        /// <summary>The id of the object in its map.</summary>
        public int Object;
        /// <summary>The index of the map in its world; 0 without a world.</summary>
        public int Map;
        /// <summary>The id in its tileset of the tile that the marker shows; -1 without a tile.</summary>
        public int Tile;
        byte isFlipX;
        /// <summary>True if the tile is mirrored left to right.</summary>
        public bool FlipX { get { return isFlipX != 0; } set { isFlipX = value ? (byte)1 : (byte)0; } }
        byte isFlipY;
        /// <summary>True if the tile is mirrored top to bottom.</summary>
        public bool FlipY { get { return isFlipY != 0; } set { isFlipY = value ? (byte)1 : (byte)0; } }
    }

    /// <summary>An event of a step.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Event
    {
        /// <summary>What happened.</summary>
        public EventKind Kind;
        /// <summary>The body to which it happened, or which watches; -1 for a body that was removed before the
        /// step.</summary>
        public int Body;
        /// <summary>The other body; -1 for a cell.</summary>
        public int Other;
        /// <summary>The side of the body that the other one touches; none if they overlap.</summary>
        public Side Side;
        /// <summary>The column of the cell that was hit.</summary>
        public int Column;
        /// <summary>The row of the cell that was hit.</summary>
        public int Row;
        /// <summary>The normal of a hit along x: out of the solid, of length 1.</summary>
        public float NormalX;
        /// <summary>The normal of a hit along y.</summary>
        public float NormalY;
    }

    /// <summary>Where to draw a body.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public unsafe struct Drawn
    {
        /// <summary>The body.</summary>
        public int Body;
        /// <summary>The left edge.</summary>
        public float X;
        /// <summary>The top edge.</summary>
        public float Y;
        /// <summary>The width.</summary>
        public float W;
        /// <summary>The height.</summary>
        public float H;
    }

    /// <summary>One body that slides, climbs steps and slopes, and keeps fractions of a pixel. The game has its
    /// velocity.</summary>
    public sealed unsafe partial class Mover : Handle
    {
        internal Mover(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_mover_free(at); }
        /// <summary>Makes a mover with the settings of its kind.</summary>
        public static Mover New(int x, int y, int w, int h, Kind kind) { { var answer = new Mover(Native.bitwall_mover_new(x, y, w, h, (int)kind)); return answer; } }
        /// <summary>Returns the settings, for a change of some of them.</summary>
        public Settings Settings() { { Settings found; Handle.Check(Native.bitwall_mover_settings(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Sets all settings.</summary>
        public void SetSettings(Settings settings) { { Handle.Check(Native.bitwall_mover_set_settings(At, &settings)); GC.KeepAlive(this); } }
        /// <summary>Puts the top-left corner at a pixel, through all solids.</summary>
        public void Place(int x, int y) { { Handle.Check(Native.bitwall_mover_place(At, x, y)); GC.KeepAlive(this); } }
        /// <summary>Moves by a velocity in pixels a step, as far as the level allows and at most 4096
        /// pixels.</summary>
        public Motion Step(Level level, float velocityX, float velocityY) { { Motion found; Handle.Check(Native.bitwall_mover_step(At, Handle.Of(level, "level"), velocityX, velocityY, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Changes the size, as for a crouch; the side `anchor` stays. False, and nothing changes, if
        /// there is no room.</summary>
        public bool Resize(Level level, int w, int h, Side anchor) { { var answer = Handle.Check(Native.bitwall_mover_resize(At, Handle.Of(level, "level"), w, h, (int)anchor)); GC.KeepAlive(this); GC.KeepAlive(level); return answer != 0; } }
        /// <summary>Drops through the one-way floor on which the body stands. False if it stands on
        /// none.</summary>
        public bool DropThrough(Level level) { { var answer = Handle.Check(Native.bitwall_mover_drop_through(At, Handle.Of(level, "level"))); GC.KeepAlive(this); GC.KeepAlive(level); return answer != 0; } }
        /// <summary>Moves a body that overlaps a solid to the nearest free place, at most `radius` pixels away.
        /// Returns that move, or none if there is no such place.</summary>
        public Pixel Unstick(Level level, int radius) { { Pixel found; Handle.Check(Native.bitwall_mover_unstick(At, Handle.Of(level, "level"), radius, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns the box in whole pixels.</summary>
        public Rect Bounds() { { Rect found; Handle.Check(Native.bitwall_mover_bounds(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns the exact place of the top-left corner.</summary>
        public Point Position() { { Point found; Handle.Check(Native.bitwall_mover_position(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns where to draw the top-left corner, which also glides along slopes.</summary>
        public Point Drawn(Level level) { { Point found; Handle.Check(Native.bitwall_mover_drawn(At, Handle.Of(level, "level"), &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns a number that is equal for equal movers, on every platform.</summary>
        public ulong Checksum() { { var answer = Native.bitwall_mover_checksum(At); GC.KeepAlive(this); return answer; } }
    }

    /// <summary>A character that runs, jumps, climbs and swims by its keys, in a level without other
    /// bodies.</summary>
    public sealed unsafe partial class Platformer : Handle
    {
        internal Platformer(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_platformer_free(at); }
        /// <summary>Makes a character at rest in the air, for a game with `fps` steps a second, with the usual
        /// feel.</summary>
        public static Platformer New(int x, int y, int w, int h, int fps) { { var answer = new Platformer(Native.bitwall_platformer_new(x, y, w, h, fps)); return answer; } }
        /// <summary>Returns the feel, for a change of some of it.</summary>
        public Feel Feel() { { Feel found; Handle.Check(Native.bitwall_platformer_feel(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Sets the whole feel.</summary>
        public void SetFeel(Feel feel) { { Handle.Check(Native.bitwall_platformer_set_feel(At, &feel)); GC.KeepAlive(this); } }
        /// <summary>Names the areas that are ladders and water, as in the level; empty for none.</summary>
        public void SetAreas(string ladder, string water) { fixed (byte* ladderAt = Handle.Utf8(ladder, "ladder")) fixed (byte* waterAt = Handle.Utf8(water, "water")) { Handle.Check(Native.bitwall_platformer_set_areas(At, ladderAt, waterAt)); GC.KeepAlive(this); } }
        /// <summary>Returns the settings of the motion.</summary>
        public Settings Settings() { { Settings found; Handle.Check(Native.bitwall_platformer_settings(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Sets the settings of the motion. The response must be to slide.</summary>
        public void SetSettings(Settings settings) { { Handle.Check(Native.bitwall_platformer_set_settings(At, &settings)); GC.KeepAlive(this); } }
        /// <summary>Moves by one step with the keys that are held: `x` from -1 (left) to 1 (right), `y` from -1
        /// (up) to 1 (down).</summary>
        public Motion Step(Level level, float x, float y, bool jump, bool dash) { { Motion found; Handle.Check(Native.bitwall_platformer_step(At, Handle.Of(level, "level"), x, y, jump ? 1 : 0, dash ? 1 : 0, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns what the last step did, also that of a follower, with the velocity as it is now.
        /// Nothing moved before the first step.</summary>
        public Motion Motion() { { Motion found; Handle.Check(Native.bitwall_platformer_motion(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Puts the top-left corner at a pixel, through all solids.</summary>
        public void Place(int x, int y) { { Handle.Check(Native.bitwall_platformer_place(At, x, y)); GC.KeepAlive(this); } }
        /// <summary>Sets the velocity in pixels a second, as for a spring.</summary>
        public void SetVelocity(float velocityX, float velocityY) { { Handle.Check(Native.bitwall_platformer_set_velocity(At, velocityX, velocityY)); GC.KeepAlive(this); } }
        /// <summary>Gives a velocity and keeps it for some seconds, as for a knockback: no key and no gravity
        /// changes it.</summary>
        public void Force(float velocityX, float velocityY, float seconds) { { Handle.Check(Native.bitwall_platformer_force(At, velocityX, velocityY, seconds)); GC.KeepAlive(this); } }
        /// <summary>Returns the box in whole pixels.</summary>
        public Rect Bounds() { { Rect found; Handle.Check(Native.bitwall_platformer_bounds(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns the exact place of the top-left corner.</summary>
        public Point Position() { { Point found; Handle.Check(Native.bitwall_platformer_position(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns where to draw the top-left corner.</summary>
        public Point Drawn(Level level) { { Point found; Handle.Check(Native.bitwall_platformer_drawn(At, Handle.Of(level, "level"), &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns a number that is equal for equal characters, on every platform.</summary>
        public ulong Checksum() { { var answer = Native.bitwall_platformer_checksum(At); GC.KeepAlive(this); return answer; } }
    }

    /// <summary>What a level's maps draw, in the order of drawing.</summary>
    public sealed unsafe partial class Scene : Handle
    {
        internal Scene(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_scene_free(at); }
        /// <summary>Returns the paths of the pictures, one a line, by their numbers from 0.</summary>
        public string Pictures() { { var answer = Handle.Text(Native.bitwall_scene_pictures(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the names of the layers that draw, one a line, by their numbers from 0. A name can
        /// be there twice.</summary>
        public string Layers() { { var answer = Handle.Text(Native.bitwall_scene_layers(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns everything, from the back to the front.</summary>
        public Sprite[] All() { { UIntPtr count; var list = Native.bitwall_scene_all(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new Sprite[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns what may be seen in a box of pixels, from the back to the front. O(all).</summary>
        public Sprite[] Seen(int x, int y, int w, int h) { { UIntPtr count; var list = Native.bitwall_scene_seen(At, x, y, w, h, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new Sprite[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
    }

    /// <summary>The ways of a body that runs and jumps: every link was played by a real platformer. Not every
    /// way is found, but none is false.</summary>
    public sealed unsafe partial class JumpWays : Handle
    {
        internal JumpWays(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_jump_ways_free(at); }
        /// <summary>Finds the ways of a body of this size with this feel, in a game with `fps` steps a second.
        /// It takes from some milliseconds to a second.</summary>
        public static JumpWays New(Level level, int w, int h, Feel feel, int fps) { { var answer = new JumpWays(Native.bitwall_jump_ways_new(Handle.Of(level, "level"), w, h, &feel, fps)); GC.KeepAlive(level); return answer; } }
        /// <summary>Tells the ways that the cells of a box were edited: no link is offered that the edit may
        /// have changed.</summary>
        public void Edited(int x, int y, int w, int h) { { Handle.Check(Native.bitwall_jump_ways_edited(At, x, y, w, h)); GC.KeepAlive(this); } }
        /// <summary>Finds the changed links after edits, for at most about `budget` steps of play. True if all
        /// are found.</summary>
        public bool Update(Level level, int budget) { { var answer = Handle.Check(Native.bitwall_jump_ways_update(At, Handle.Of(level, "level"), budget)); GC.KeepAlive(this); GC.KeepAlive(level); return answer != 0; } }
        /// <summary>True if a way may lead from one place of the body's top-left corner to another; false if
        /// none is known.</summary>
        public bool MayReach(int x, int y, int toX, int toY) { { var answer = Handle.Check(Native.bitwall_jump_ways_may_reach(At, x, y, toX, toY)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Returns the jumps and falls of a way: x and y of the start and of the end of each. Between
        /// them the body walks. Empty without a way, and for a walk.</summary>
        public int[] Path(int x, int y, int toX, int toY) { { UIntPtr count; var list = Native.bitwall_jump_ways_path(At, x, y, toX, toY, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
    }

    /// <summary>The way of one body along jump ways.</summary>
    public sealed unsafe partial class Follower : Handle
    {
        internal Follower(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_follower_free(at); }
        /// <summary>Makes a follower for one body.</summary>
        public static Follower New() { { var answer = new Follower(Native.bitwall_follower_new()); return answer; } }
        /// <summary>Moves a character by one step toward a place, by the keys of the way. It must have the size
        /// and the feel of the ways.</summary>
        public Follow Step(JumpWays ways, Level level, Platformer character, int toX, int toY) { { var answer = Handle.Check(Native.bitwall_follower_step(At, Handle.Of(ways, "ways"), Handle.Of(level, "level"), Handle.Of(character, "character"), toX, toY)); GC.KeepAlive(this); GC.KeepAlive(ways); GC.KeepAlive(level); GC.KeepAlive(character); return (Follow)answer; } }
        /// <summary>Sets the keys that a player of a world holds in the next step of the world, by the way
        /// toward a place. The player must have the size and the feel of the ways, which know neither lifts nor
        /// crates.</summary>
        public Follow Steer(JumpWays ways, Level level, World world, int body, int toX, int toY) { { var answer = Handle.Check(Native.bitwall_follower_steer(At, Handle.Of(ways, "ways"), Handle.Of(level, "level"), Handle.Of(world, "world"), body, toX, toY)); GC.KeepAlive(this); GC.KeepAlive(ways); GC.KeepAlive(level); GC.KeepAlive(world); return (Follow)answer; } }
    }

    /// <summary>A level: walls as bits, with named areas and markers. Positions are pixels, x to the right, y
    /// down.</summary>
    public sealed unsafe partial class Level : Handle
    {
        internal Level(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_level_free(at); }
        /// <summary>Makes an empty level of `columns` x `rows` cells, each `cell_width` x `cell_height`
        /// pixels.</summary>
        public static Level New(int columns, int rows, int cellWidth, int cellHeight) { { var answer = new Level(Native.bitwall_level_new(columns, rows, cellWidth, cellHeight)); return answer; } }
        /// <summary>Makes a level of an engine's own map: a cell is solid where the byte is not 0. Row by row,
        /// a byte for each cell.</summary>
        public static Level FromCells(int columns, int rows, int cellWidth, int cellHeight, byte[] cells) { fixed (byte* cellsAt = cells) { var answer = new Level(Native.bitwall_level_from_cells(columns, rows, cellWidth, cellHeight, cellsAt, Handle.Count(cells, "cells"))); return answer; } }
        /// <summary>Makes a level of rows of `#` (solid) and `.` (passable).</summary>
        public static Level FromText(string text, int cellWidth, int cellHeight) { fixed (byte* textAt = Handle.Utf8(text, "text")) { var answer = new Level(Native.bitwall_level_from_text(textAt, cellWidth, cellHeight)); return answer; } }
        /// <summary>Makes a level of a baked one. It has the cells, areas and markers of its source, and no
        /// pictures.</summary>
        public static Level FromBaked(byte[] bytes) { fixed (byte* bytesAt = bytes) { var answer = new Level(Native.bitwall_level_from_baked(bytesAt, Handle.Count(bytes, "bytes"))); return answer; } }
        /// <summary>Returns the level as the bytes of a baked one.</summary>
        public byte[] Bake() { { UIntPtr count; var list = Native.bitwall_level_bake(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new byte[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns a copy of the level.</summary>
        public Level Copy() { { var answer = new Level(Native.bitwall_level_copy(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns a copy whose cells are pixels, so that edits take shapes pixel by pixel.</summary>
        public Level InPixels() { { var answer = new Level(Native.bitwall_level_in_pixels(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the size of the level and of a cell in pixels.</summary>
        public Size Size() { { Size found; Handle.Check(Native.bitwall_level_size(At, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Makes the outside of the level passable or solid on one side. It is solid before.</summary>
        public void OpenSide(Dir side, bool open) { { Handle.Check(Native.bitwall_level_open_side(At, (int)side, open ? 1 : 0)); GC.KeepAlive(this); } }
        /// <summary>Makes questions about boxes of this size faster, and keeps them so after edits. False if
        /// the memory for it is used up.</summary>
        public bool Prepare(int w, int h) { { var answer = Handle.Check(Native.bitwall_level_prepare(At, w, h)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>True if the pixel is solid.</summary>
        public bool IsSolid(int x, int y) { { var answer = Handle.Check(Native.bitwall_level_is_solid(At, x, y)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>True if the box overlaps a solid.</summary>
        public bool Overlaps(int x, int y, int w, int h) { { var answer = Handle.Check(Native.bitwall_level_overlaps(At, x, y, w, h)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>True if the box can move by `step` pixels. The whole way counts, so no thin wall is
        /// skipped.</summary>
        public bool CanMove(int x, int y, int w, int h, Dir dir, int step) { { var answer = Handle.Check(Native.bitwall_level_can_move(At, x, y, w, h, (int)dir, step)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Returns how far the box can move, at most `step` pixels, and the cell that stops
        /// it.</summary>
        public Sweep Sweep(int x, int y, int w, int h, Dir dir, int step) { { Sweep found; Handle.Check(Native.bitwall_level_sweep(At, x, y, w, h, (int)dir, step, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Answers many questions of `can_move`: each is the six numbers x, y, w, h, dir (0 left, 1
        /// right, 2 up, 3 down) and step. An answer is 0 or 1. On an error some answers are written.</summary>
        public void CanMoveAll(int[] questions, byte[] answers) { fixed (int* questionsAt = questions) fixed (byte* answersAt = answers) { Handle.Check(Native.bitwall_level_can_move_all(At, questionsAt, Handle.Count(questions, "questions"), answersAt, Handle.Count(answers, "answers"))); GC.KeepAlive(this); } }
        /// <summary>Answers many questions of `sweep`, as `can_move_all`: each answer is the pixels
        /// moved.</summary>
        public void SweepAll(int[] questions, int[] answers) { fixed (int* questionsAt = questions) fixed (int* answersAt = answers) { Handle.Check(Native.bitwall_level_sweep_all(At, questionsAt, Handle.Count(questions, "questions"), answersAt, Handle.Count(answers, "answers"))); GC.KeepAlive(this); } }
        /// <summary>Returns the first solid on the line between the middles of two pixels. `corners` is true
        /// for a line that may pass between two solid cells that touch at a corner.</summary>
        public Ray Ray(int x, int y, int toX, int toY, bool corners) { { Ray found; Handle.Check(Native.bitwall_level_ray(At, x, y, toX, toY, corners ? 1 : 0, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>True if no solid is on the line between the middles of two pixels; the answer is the same
        /// both ways.</summary>
        public bool LineOfSight(int x, int y, int toX, int toY, bool corners) { { var answer = Handle.Check(Native.bitwall_level_line_of_sight(At, x, y, toX, toY, corners ? 1 : 0)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>True if the footprint with its top-left corner at a pixel overlaps a solid.</summary>
        public bool FootprintOverlaps(Footprint footprint, int x, int y) { { var answer = Handle.Check(Native.bitwall_level_footprint_overlaps(At, Handle.Of(footprint, "footprint"), x, y)); GC.KeepAlive(this); GC.KeepAlive(footprint); return answer != 0; } }
        /// <summary>Returns how far the footprint can move, at most `step` pixels, and the cell that stops
        /// it.</summary>
        public Sweep FootprintSweep(Footprint footprint, int x, int y, Dir dir, int step) { { Sweep found; Handle.Check(Native.bitwall_level_footprint_sweep(At, Handle.Of(footprint, "footprint"), x, y, (int)dir, step, &found)); GC.KeepAlive(this); GC.KeepAlive(footprint); return found; } }
        /// <summary>Makes a cell solid or passable. True if it changed.</summary>
        public bool SetCell(int column, int row, bool solid) { { var answer = Handle.Check(Native.bitwall_level_set_cell(At, column, row, solid ? 1 : 0)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Makes each cell that touches the box solid or passable. True if one changed.</summary>
        public bool SetBox(int x, int y, int w, int h, bool solid) { { var answer = Handle.Check(Native.bitwall_level_set_box(At, x, y, w, h, solid ? 1 : 0)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Makes each cell that contains a pixel of the disc solid or passable. True if one
        /// changed.</summary>
        public bool SetDisc(int x, int y, int radius, bool solid) { { var answer = Handle.Check(Native.bitwall_level_set_disc(At, x, y, radius, solid ? 1 : 0)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Makes each cell that contains a pixel of the footprint solid or passable. True if one
        /// changed.</summary>
        public bool SetFootprint(Footprint footprint, int x, int y, bool solid) { { var answer = Handle.Check(Native.bitwall_level_set_footprint(At, Handle.Of(footprint, "footprint"), x, y, solid ? 1 : 0)); GC.KeepAlive(this); GC.KeepAlive(footprint); return answer != 0; } }
        /// <summary>Puts the cells, areas and markers of another level into this one, with the other's top-left
        /// corner at a pixel that is a corner of a cell. True if a cell changed.</summary>
        public bool Place(Level other, int x, int y) { { var answer = Handle.Check(Native.bitwall_level_place(At, Handle.Of(other, "other"), x, y)); GC.KeepAlive(this); GC.KeepAlive(other); return answer != 0; } }
        /// <summary>Returns the cells of the box as they are now, so that `apply` undoes later edits of
        /// it.</summary>
        public Patch Patch(int x, int y, int w, int h) { { var answer = new Patch(Native.bitwall_level_patch(At, x, y, w, h)); GC.KeepAlive(this); return answer; } }
        /// <summary>Puts the cells of the patch back. True if one changed.</summary>
        public bool Apply(Patch patch) { { var answer = Handle.Check(Native.bitwall_level_apply(At, Handle.Of(patch, "patch"))); GC.KeepAlive(this); GC.KeepAlive(patch); return answer != 0; } }
        /// <summary>Returns a number that is equal for equal levels, on every platform.</summary>
        public ulong Checksum() { { var answer = Native.bitwall_level_checksum(At); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the number of markers.</summary>
        public int MarkerCount() { { var answer = Handle.Check(Native.bitwall_level_marker_count(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the index of the first marker with this name; -1 without one.</summary>
        public int FindMarker(string name) { fixed (byte* nameAt = Handle.Utf8(name, "name")) { var answer = Handle.Check(Native.bitwall_level_find_marker(At, nameAt)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the place and the shape of a marker, by its index from 0 in the order of the
        /// file.</summary>
        public Marker Marker(int index) { { Marker found; Handle.Check(Native.bitwall_level_marker(At, index, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns the name of a marker, which may be empty.</summary>
        public string MarkerName(int index) { { var answer = Handle.Text(Native.bitwall_level_marker_name(At, index)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the class of a marker (Tiled also calls it type), which may be empty.</summary>
        public string MarkerClass(int index) { { var answer = Handle.Text(Native.bitwall_level_marker_class(At, index)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the layer of a marker, with the names of its groups.</summary>
        public string MarkerLayer(int index) { { var answer = Handle.Text(Native.bitwall_level_marker_layer(At, index)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns x and y of each point of a marker's shape as it is drawn.</summary>
        public int[] MarkerPoints(int index) { { UIntPtr count; var list = Native.bitwall_level_marker_points(At, index, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the names of a marker's properties, one a line.</summary>
        public string MarkerProperties(int index) { { var answer = Handle.Text(Native.bitwall_level_marker_properties(At, index)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns a property of a marker as a text: true or false for a flag, the digits of a number.
        /// Empty if the marker has no such property, or if it is a list or a class.</summary>
        public string MarkerText(int index, string name) { fixed (byte* nameAt = Handle.Utf8(name, "name")) { var answer = Handle.Text(Native.bitwall_level_marker_text(At, index, nameAt)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns the names of the areas, one a line.</summary>
        public string Areas() { { var answer = Handle.Text(Native.bitwall_level_areas(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>True if the box overlaps the named area; false if the level has no such area.</summary>
        public bool AreaOverlaps(string name, int x, int y, int w, int h) { fixed (byte* nameAt = Handle.Utf8(name, "name")) { var answer = Handle.Check(Native.bitwall_level_area_overlaps(At, nameAt, x, y, w, h)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Returns the categories for which the named area is solid, as bits; 0 if it stops
        /// nobody.</summary>
        public ulong AreaCategory(string name) { fixed (byte* nameAt = Handle.Utf8(name, "name")) { var answer = Native.bitwall_level_area_category(At, nameAt); GC.KeepAlive(this); return answer; } }
        /// <summary>Makes the named area solid for bodies that collide with one of these categories. False if
        /// the level has no such area.</summary>
        public bool SetAreaCategory(string name, ulong category) { fixed (byte* nameAt = Handle.Utf8(name, "name")) { var answer = Handle.Check(Native.bitwall_level_set_area_category(At, nameAt, category)); GC.KeepAlive(this); return answer != 0; } }
        /// <summary>Returns the cells row by row: a byte for each, 1 for a solid one.</summary>
        public byte[] Cells() { { UIntPtr count; var list = Native.bitwall_level_cells(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new byte[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the solids in a box as rectangles that do not overlap: x, y, w and h of
        /// each.</summary>
        public int[] Rectangles(int x, int y, int w, int h) { { UIntPtr count; var list = Native.bitwall_level_rectangles(At, x, y, w, h, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the outlines of the solids as loops: of each the number of its points, then x and y
        /// of each point. The solid is on the right; a loop around a hole runs the other way.</summary>
        public int[] Outlines() { { UIntPtr count; var list = Native.bitwall_level_outlines(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the surfaces of the solids in a box as chains for a physics engine: of each the
        /// number of its points, then x and y of each point.</summary>
        public int[] Chains(int x, int y, int w, int h) { { UIntPtr count; var list = Native.bitwall_level_chains(At, x, y, w, h, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Loads a Tiled map (tmx, tmj), a world, an LDtk project, a mask (PNG), a baked level or rows
        /// of # and . from the disk. `options` is the text of a `bitwall.toml`; if empty, the nearest
        /// `bitwall.toml` counts.</summary>
        public static Level Load(string path, string options = "") { fixed (byte* pathAt = Handle.Utf8(path, "path")) fixed (byte* optionsAt = Handle.Utf8(options, "options")) { var answer = new Level(Native.bitwall_level_load(pathAt, optionsAt)); return answer; } }
        /// <summary>Makes a level from the bytes of a file that refers to no other file. `name` is its path,
        /// for the format and for errors; `options` is the text of a `bitwall.toml`, or empty.</summary>
        public static Level Decode(string name, byte[] bytes, string options = "") { fixed (byte* nameAt = Handle.Utf8(name, "name")) fixed (byte* bytesAt = bytes) fixed (byte* optionsAt = Handle.Utf8(options, "options")) { var answer = new Level(Native.bitwall_level_decode(nameAt, bytesAt, Handle.Count(bytes, "bytes"), optionsAt)); return answer; } }
        /// <summary>Makes a level from the file `path` of the files. `options` is the text of a `bitwall.toml`,
        /// or empty.</summary>
        public static Level FromFiles(string path, Files files, string options = "") { fixed (byte* pathAt = Handle.Utf8(path, "path")) fixed (byte* optionsAt = Handle.Utf8(options, "options")) { var answer = new Level(Native.bitwall_level_from_files(pathAt, Handle.Of(files, "files"), optionsAt)); GC.KeepAlive(files); return answer; } }
        /// <summary>Returns the files that the level was made of, one a line: if one of them changes, load
        /// again.</summary>
        public string Files() { { var answer = Handle.Text(Native.bitwall_level_files(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns what is suspicious in the files, a sentence a line.</summary>
        public string Warnings() { { var answer = Handle.Text(Native.bitwall_level_warnings(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns what made a cell solid: the tile or object, its layer and the rule. Empty if
        /// nothing of a file did.</summary>
        public string Why(int column, int row) { { var answer = Handle.Text(Native.bitwall_level_why(At, column, row)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns what the level's maps draw. A level without maps draws nothing.</summary>
        public Scene Scene() { { var answer = new Scene(Native.bitwall_level_scene(At)); GC.KeepAlive(this); return answer; } }
    }

    /// <summary>The cells of a box of a level before an edit, to undo the edit.</summary>
    public sealed unsafe partial class Patch : Handle
    {
        internal Patch(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_patch_free(at); }
    }

    /// <summary>A body or a brush that is no box: the pixels of a small picture.</summary>
    public sealed unsafe partial class Footprint : Handle
    {
        internal Footprint(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_footprint_free(at); }
        /// <summary>Makes a footprint of `width` x `height` pixels: a pixel belongs to it where the byte is not
        /// 0. Row by row, a byte for each pixel.</summary>
        public static Footprint New(int width, int height, byte[] pixels) { fixed (byte* pixelsAt = pixels) { var answer = new Footprint(Native.bitwall_footprint_new(width, height, pixelsAt, Handle.Count(pixels, "pixels"))); return answer; } }
        /// <summary>Makes a disc with this diameter in pixels.</summary>
        public static Footprint Circle(int diameter) { { var answer = new Footprint(Native.bitwall_footprint_circle(diameter)); return answer; } }
        /// <summary>Makes a box with round ends, of `width` x `height` pixels.</summary>
        public static Footprint Capsule(int width, int height) { { var answer = new Footprint(Native.bitwall_footprint_capsule(width, height)); return answer; } }
    }

    /// <summary>The files of a level that is not loaded from the disk: from an archive, an engine's resources
    /// or the network. Put the level's own file first, then ask for those that are wanted until there is
    /// none.</summary>
    public sealed unsafe partial class Files : Handle
    {
        internal Files(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_files_free(at); }
        /// <summary>Makes an empty collection of files.</summary>
        public static Files New() { { var answer = new Files(Native.bitwall_files_new()); return answer; } }
        /// <summary>Puts the bytes of a file, under the path by which it was wanted.</summary>
        public void Put(string path, byte[] bytes) { fixed (byte* pathAt = Handle.Utf8(path, "path")) fixed (byte* bytesAt = bytes) { Handle.Check(Native.bitwall_files_put(At, pathAt, bytesAt, Handle.Count(bytes, "bytes"))); GC.KeepAlive(this); } }
        /// <summary>Returns the path of a file to which the files so far refer, each once; empty if there is
        /// none. A file that cannot be had is not put. `pictures` is true if the pictures for drawing are
        /// wanted too: a load reads one only if a map uses tiles beyond those that its tileset states. Maps
        /// that a world finds by a pattern are not named.</summary>
        public string Wanted(bool pictures) { { var answer = Handle.Text(Native.bitwall_files_wanted(At, pictures ? 1 : 0)); GC.KeepAlive(this); return answer; } }
    }

    /// <summary>The shortest ways of boxes of one size. Prepare the size in the level first: then an edit
    /// redoes only its part.</summary>
    public sealed unsafe partial class Ways : Handle
    {
        internal Ways(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_ways_free(at); }
        /// <summary>Makes the ways of boxes of this size in pixels.</summary>
        public static Ways New(int w, int h) { { var answer = new Ways(Native.bitwall_ways_new(w, h)); return answer; } }
        /// <summary>Returns the shortest way of the box's top-left corner to a pixel: x and y of each of its
        /// points. Empty if there is none. `smooth` leaves out the points that a straight line can
        /// skip.</summary>
        public int[] Path(Level level, int x, int y, int toX, int toY, bool smooth) { { UIntPtr count; var list = Native.bitwall_ways_path(At, Handle.Of(level, "level"), x, y, toX, toY, smooth ? 1 : 0, &count); GC.KeepAlive(this); GC.KeepAlive(level); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the way as `path`, to the place that is nearest to the pixel if the pixel itself
        /// cannot be reached.</summary>
        public int[] PathToward(Level level, int x, int y, int toX, int toY) { { UIntPtr count; var list = Native.bitwall_ways_path_toward(At, Handle.Of(level, "level"), x, y, toX, toY, &count); GC.KeepAlive(this); GC.KeepAlive(level); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the field of the ways to the nearest of some goals: `goals` is x and y of
        /// each.</summary>
        public Field Field(Level level, int[] goals) { fixed (int* goalsAt = goals) { var answer = new Field(Native.bitwall_ways_field(At, Handle.Of(level, "level"), goalsAt, Handle.Count(goals, "goals"))); GC.KeepAlive(this); GC.KeepAlive(level); return answer; } }
    }

    /// <summary>The way of every free place to the nearest of some goals, for a crowd. An edit of the level
    /// does not change it.</summary>
    public sealed unsafe partial class Field : Handle
    {
        internal Field(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_field_free(at); }
        /// <summary>Returns the next step from a pixel: -1, 0 or 1 along each axis. None at a goal, and where
        /// no goal can be reached.</summary>
        public Pixel Step(int x, int y) { { Pixel found; Handle.Check(Native.bitwall_field_step(At, x, y, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns the length of the way to the nearest goal in pixels, of which a diagonal step has
        /// two; -1 where no goal can be reached.</summary>
        public int Distance(int x, int y) { { var answer = Handle.Check(Native.bitwall_field_distance(At, x, y)); GC.KeepAlive(this); return answer; } }
    }

    /// <summary>Bodies in a level that move together, step by step.</summary>
    public sealed unsafe partial class World : Handle
    {
        internal World(IntPtr at) : base(at) { }
        internal override void Free(IntPtr at) { Native.bitwall_world_free(at); }
        /// <summary>Makes a world without bodies, for a game with `fps` steps a second.</summary>
        public static World New(int fps) { { var answer = new World(Native.bitwall_world_new(fps)); return answer; } }
        /// <summary>Adds a character, and returns its number. It moves by its velocity, or by keys as a
        /// player.</summary>
        public int AddCharacter(int x, int y, int w, int h, Kind kind) { { var answer = Handle.Check(Native.bitwall_world_add_character(At, x, y, w, h, (int)kind)); GC.KeepAlive(this); return answer; } }
        /// <summary>Adds a platform, which carries and pushes other bodies and which nothing stops. A one-way
        /// platform is solid only from above.</summary>
        public int AddPlatform(int x, int y, int w, int h, bool oneWay) { { var answer = Handle.Check(Native.bitwall_world_add_platform(At, x, y, w, h, oneWay ? 1 : 0)); GC.KeepAlive(this); return answer; } }
        /// <summary>Adds a platform in the shape of a level's solid cells.</summary>
        public int AddPiece(int x, int y, Level piece) { { var answer = Handle.Check(Native.bitwall_world_add_piece(At, x, y, Handle.Of(piece, "piece"))); GC.KeepAlive(this); GC.KeepAlive(piece); return answer; } }
        /// <summary>Adds a crate that falls and can be pushed. `mass` is 0 to 65535; `gravity` is in pixels a
        /// second squared.</summary>
        public int AddPushable(int x, int y, int w, int h, int mass, float gravity) { { var answer = Handle.Check(Native.bitwall_world_add_pushable(At, x, y, w, h, mass, gravity)); GC.KeepAlive(this); return answer; } }
        /// <summary>Adds a ball that bounces. `mass` is 0 to 65535; with 0 nothing moves it.</summary>
        public int AddBall(int x, int y, int diameter, int mass) { { var answer = Handle.Check(Native.bitwall_world_add_ball(At, x, y, diameter, mass)); GC.KeepAlive(this); return answer; } }
        /// <summary>Adds a bullet, which flies straight until something stops it.</summary>
        public int AddBullet(int x, int y, int w, int h) { { var answer = Handle.Check(Native.bitwall_world_add_bullet(At, x, y, w, h)); GC.KeepAlive(this); return answer; } }
        /// <summary>Adds a sensor, which is not solid and only watches.</summary>
        public int AddSensor(int x, int y, int w, int h) { { var answer = Handle.Check(Native.bitwall_world_add_sensor(At, x, y, w, h)); GC.KeepAlive(this); return answer; } }
        /// <summary>Removes a body.</summary>
        public void Remove(int body) { { Handle.Check(Native.bitwall_world_remove(At, body)); GC.KeepAlive(this); } }
        /// <summary>Returns the numbers of all bodies, in the order in which they were added.</summary>
        public int[] Bodies() { { UIntPtr count; var list = Native.bitwall_world_bodies(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the box of a body in whole pixels.</summary>
        public Rect Bounds(int body) { { Rect found; Handle.Check(Native.bitwall_world_bounds(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Returns the exact place of the top-left corner of a body.</summary>
        public Point Position(int body) { { Point found; Handle.Check(Native.bitwall_world_position(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Puts the top-left corner of a body at a pixel, through all solids.</summary>
        public void Place(int body, int x, int y) { { Handle.Check(Native.bitwall_world_place(At, body, x, y)); GC.KeepAlive(this); } }
        /// <summary>Changes the size of a character; the side `anchor` stays. False, and nothing changes, if
        /// there is no room.</summary>
        public bool Resize(Level level, int body, int w, int h, Side anchor) { { var answer = Handle.Check(Native.bitwall_world_resize(At, Handle.Of(level, "level"), body, w, h, (int)anchor)); GC.KeepAlive(this); GC.KeepAlive(level); return answer != 0; } }
        /// <summary>Returns the velocity of a body in pixels a second.</summary>
        public Point Velocity(int body) { { Point found; Handle.Check(Native.bitwall_world_velocity(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Sets the velocity of a body in pixels a second.</summary>
        public void SetVelocity(int body, float velocityX, float velocityY) { { Handle.Check(Native.bitwall_world_set_velocity(At, body, velocityX, velocityY)); GC.KeepAlive(this); } }
        /// <summary>Sets the acceleration of a body, such as its gravity, in pixels a second squared.</summary>
        public void SetAcceleration(int body, float x, float y) { { Handle.Check(Native.bitwall_world_set_acceleration(At, body, x, y)); GC.KeepAlive(this); } }
        /// <summary>Sets what a body is, what it collides with, and what it watches for events: categories as
        /// bits.</summary>
        public void SetCategories(int body, ulong category, ulong collidesWith, ulong watches) { { Handle.Check(Native.bitwall_world_set_categories(At, body, category, collidesWith, watches)); GC.KeepAlive(this); } }
        /// <summary>Returns the settings of a character's motion.</summary>
        public Settings Settings(int body) { { Settings found; Handle.Check(Native.bitwall_world_settings(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Sets the settings of a character's motion.</summary>
        public void SetSettings(int body, Settings settings) { { Handle.Check(Native.bitwall_world_set_settings(At, body, &settings)); GC.KeepAlive(this); } }
        /// <summary>Moves a platform from stop to stop: `stops` is x and y of each, `speed` in pixels a second,
        /// `wait` in seconds at each. `round` goes from the last straight to the first; else it goes back the
        /// same way. Empty `stops` end the path.</summary>
        public void SetPath(int body, int[] stops, float speed, float wait, bool round) { fixed (int* stopsAt = stops) { Handle.Check(Native.bitwall_world_set_path(At, body, stopsAt, Handle.Count(stops, "stops"), speed, wait, round ? 1 : 0)); GC.KeepAlive(this); } }
        /// <summary>Moves a platform on a circle. A turn takes `seconds`, and is counter-clockwise if they are
        /// negative.</summary>
        public void SetCircle(int body, int x, int y, int radius, float seconds) { { Handle.Check(Native.bitwall_world_set_circle(At, body, x, y, radius, seconds)); GC.KeepAlive(this); } }
        /// <summary>Makes a character a player, which moves by keys with this feel; or changes the feel of a
        /// player.</summary>
        public void SetPlayer(int body, Feel feel) { { Handle.Check(Native.bitwall_world_set_player(At, body, &feel)); GC.KeepAlive(this); } }
        /// <summary>Returns the feel of a player.</summary>
        public Feel Feel(int body) { { Feel found; Handle.Check(Native.bitwall_world_feel(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Names the areas that are ladders and water for a player, as in the level; empty for
        /// none.</summary>
        public void SetAreas(int body, string ladder, string water) { fixed (byte* ladderAt = Handle.Utf8(ladder, "ladder")) fixed (byte* waterAt = Handle.Utf8(water, "water")) { Handle.Check(Native.bitwall_world_set_areas(At, body, ladderAt, waterAt)); GC.KeepAlive(this); } }
        /// <summary>Sets the keys that a player holds in the next steps: `x` from -1 (left) to 1 (right), `y`
        /// from -1 (up) to 1 (down).</summary>
        public void SetInput(int body, float x, float y, bool jump, bool dash) { { Handle.Check(Native.bitwall_world_set_input(At, body, x, y, jump ? 1 : 0, dash ? 1 : 0)); GC.KeepAlive(this); } }
        /// <summary>Gives a player a velocity and keeps it for some seconds, as for a knockback.</summary>
        public void Force(int body, float x, float y, float seconds) { { Handle.Check(Native.bitwall_world_force(At, body, x, y, seconds)); GC.KeepAlive(this); } }
        /// <summary>Returns what the last step did to a character; nothing before its first step.</summary>
        public Motion Motion(int body) { { Motion found; Handle.Check(Native.bitwall_world_motion(At, body, &found)); GC.KeepAlive(this); return found; } }
        /// <summary>Moves all bodies by one step: platforms on their paths, players by their keys, the others
        /// by their velocity.</summary>
        public void Step(Level level) { { Handle.Check(Native.bitwall_world_step(At, Handle.Of(level, "level"))); GC.KeepAlive(this); GC.KeepAlive(level); } }
        /// <summary>Returns the events of the last step.</summary>
        public Event[] Events() { { UIntPtr count; var list = Native.bitwall_world_events(At, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new Event[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns where to draw each body, in the order in which they were added.</summary>
        public Drawn[] Drawn(Level level) { { UIntPtr count; var list = Native.bitwall_world_drawn(At, Handle.Of(level, "level"), &count); GC.KeepAlive(this); GC.KeepAlive(level); if (list == null) throw Handle.Last(); var all = new Drawn[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the platform on which a body stands; -1 without one.</summary>
        public int StandingOn(int body) { { var answer = Handle.Check(Native.bitwall_world_standing_on(At, body)); GC.KeepAlive(this); return answer; } }
        /// <summary>Drops a character through the one-way floor on which it stands. False if it stands on
        /// none.</summary>
        public bool DropThrough(Level level, int body) { { var answer = Handle.Check(Native.bitwall_world_drop_through(At, Handle.Of(level, "level"), body)); GC.KeepAlive(this); GC.KeepAlive(level); return answer != 0; } }
        /// <summary>Moves a character that overlaps a solid to the nearest free place, at most `radius` pixels
        /// away.</summary>
        public Pixel Unstick(Level level, int body, int radius) { { Pixel found; Handle.Check(Native.bitwall_world_unstick(At, Handle.Of(level, "level"), body, radius, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns the bodies of some categories that overlap a box.</summary>
        public int[] Overlapping(int x, int y, int w, int h, ulong categories) { { UIntPtr count; var list = Native.bitwall_world_overlapping(At, x, y, w, h, categories, &count); GC.KeepAlive(this); if (list == null) throw Handle.Last(); var all = new int[(int)count]; for (int i = 0; i < all.Length; i++) all[i] = list[i]; return all; } }
        /// <summary>Returns the body of some categories that is nearest to a pixel, at most `radius` pixels
        /// away; -1 without one.</summary>
        public int Nearest(int x, int y, int radius, ulong categories) { { var answer = Handle.Check(Native.bitwall_world_nearest(At, x, y, radius, categories)); GC.KeepAlive(this); return answer; } }
        /// <summary>Returns how far a box can move in the level and among the bodies of some
        /// categories.</summary>
        public Sweep Sweep(Level level, int x, int y, int w, int h, Dir dir, int step, ulong categories) { { Sweep found; Handle.Check(Native.bitwall_world_sweep(At, Handle.Of(level, "level"), x, y, w, h, (int)dir, step, categories, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns the first solid, or the first body of some categories, on the line between the
        /// middles of two pixels.</summary>
        public Ray Ray(Level level, int x, int y, int toX, int toY, ulong categories) { { Ray found; Handle.Check(Native.bitwall_world_ray(At, Handle.Of(level, "level"), x, y, toX, toY, categories, &found)); GC.KeepAlive(this); GC.KeepAlive(level); return found; } }
        /// <summary>Returns a copy of the world with its players and paths, to go back to.</summary>
        public World Copy() { { var answer = new World(Native.bitwall_world_copy(At)); GC.KeepAlive(this); return answer; } }
        /// <summary>Makes this world what another one is, as for going back to a copy.</summary>
        public void Restore(World other) { { Handle.Check(Native.bitwall_world_restore(At, Handle.Of(other, "other"))); GC.KeepAlive(this); GC.KeepAlive(other); } }
        /// <summary>Returns a number that is equal for worlds with equal bodies and players, on every
        /// platform.</summary>
        public ulong Checksum() { { var answer = Native.bitwall_world_checksum(At); GC.KeepAlive(this); return answer; } }
    }

    static unsafe partial class Native
    {
        [DllImport(Name)] internal static extern int bitwall_feel_usual(Feel* @out);
        [DllImport(Name)] internal static extern IntPtr bitwall_mover_new(int x, int y, int w, int h, int kind);
        [DllImport(Name)] internal static extern int bitwall_mover_settings(IntPtr mover, Settings* @out);
        [DllImport(Name)] internal static extern int bitwall_mover_set_settings(IntPtr mover, Settings* settings);
        [DllImport(Name)] internal static extern int bitwall_mover_place(IntPtr mover, int x, int y);
        [DllImport(Name)] internal static extern int bitwall_mover_step(IntPtr mover, IntPtr level, float velocityX, float velocityY, Motion* @out);
        [DllImport(Name)] internal static extern int bitwall_mover_resize(IntPtr mover, IntPtr level, int w, int h, int anchor);
        [DllImport(Name)] internal static extern int bitwall_mover_drop_through(IntPtr mover, IntPtr level);
        [DllImport(Name)] internal static extern int bitwall_mover_unstick(IntPtr mover, IntPtr level, int radius, Pixel* @out);
        [DllImport(Name)] internal static extern int bitwall_mover_bounds(IntPtr mover, Rect* @out);
        [DllImport(Name)] internal static extern int bitwall_mover_position(IntPtr mover, Point* @out);
        [DllImport(Name)] internal static extern int bitwall_mover_drawn(IntPtr mover, IntPtr level, Point* @out);
        [DllImport(Name)] internal static extern ulong bitwall_mover_checksum(IntPtr mover);
        [DllImport(Name)] internal static extern void bitwall_mover_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_platformer_new(int x, int y, int w, int h, int fps);
        [DllImport(Name)] internal static extern int bitwall_platformer_feel(IntPtr platformer, Feel* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_set_feel(IntPtr platformer, Feel* feel);
        [DllImport(Name)] internal static extern int bitwall_platformer_set_areas(IntPtr platformer, byte* ladder, byte* water);
        [DllImport(Name)] internal static extern int bitwall_platformer_settings(IntPtr platformer, Settings* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_set_settings(IntPtr platformer, Settings* settings);
        [DllImport(Name)] internal static extern int bitwall_platformer_step(IntPtr platformer, IntPtr level, float x, float y, int jump, int dash, Motion* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_motion(IntPtr platformer, Motion* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_place(IntPtr platformer, int x, int y);
        [DllImport(Name)] internal static extern int bitwall_platformer_set_velocity(IntPtr platformer, float velocityX, float velocityY);
        [DllImport(Name)] internal static extern int bitwall_platformer_force(IntPtr platformer, float velocityX, float velocityY, float seconds);
        [DllImport(Name)] internal static extern int bitwall_platformer_bounds(IntPtr platformer, Rect* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_position(IntPtr platformer, Point* @out);
        [DllImport(Name)] internal static extern int bitwall_platformer_drawn(IntPtr platformer, IntPtr level, Point* @out);
        [DllImport(Name)] internal static extern ulong bitwall_platformer_checksum(IntPtr platformer);
        [DllImport(Name)] internal static extern void bitwall_platformer_free(IntPtr at);
        [DllImport(Name)] internal static extern byte* bitwall_scene_pictures(IntPtr scene);
        [DllImport(Name)] internal static extern byte* bitwall_scene_layers(IntPtr scene);
        [DllImport(Name)] internal static extern Sprite* bitwall_scene_all(IntPtr scene, UIntPtr* count);
        [DllImport(Name)] internal static extern Sprite* bitwall_scene_seen(IntPtr scene, int x, int y, int w, int h, UIntPtr* count);
        [DllImport(Name)] internal static extern void bitwall_scene_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_jump_ways_new(IntPtr level, int w, int h, Feel* feel, int fps);
        [DllImport(Name)] internal static extern int bitwall_jump_ways_edited(IntPtr jumpWays, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_jump_ways_update(IntPtr jumpWays, IntPtr level, int budget);
        [DllImport(Name)] internal static extern int bitwall_jump_ways_may_reach(IntPtr jumpWays, int x, int y, int toX, int toY);
        [DllImport(Name)] internal static extern int* bitwall_jump_ways_path(IntPtr jumpWays, int x, int y, int toX, int toY, UIntPtr* count);
        [DllImport(Name)] internal static extern void bitwall_jump_ways_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_follower_new();
        [DllImport(Name)] internal static extern int bitwall_follower_step(IntPtr follower, IntPtr ways, IntPtr level, IntPtr character, int toX, int toY);
        [DllImport(Name)] internal static extern int bitwall_follower_steer(IntPtr follower, IntPtr ways, IntPtr level, IntPtr world, int body, int toX, int toY);
        [DllImport(Name)] internal static extern void bitwall_follower_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_new(int columns, int rows, int cellWidth, int cellHeight);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_from_cells(int columns, int rows, int cellWidth, int cellHeight, byte* cells, UIntPtr cellsCount);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_from_text(byte* text, int cellWidth, int cellHeight);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_from_baked(byte* bytes, UIntPtr bytesCount);
        [DllImport(Name)] internal static extern byte* bitwall_level_bake(IntPtr level, UIntPtr* count);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_copy(IntPtr level);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_in_pixels(IntPtr level);
        [DllImport(Name)] internal static extern int bitwall_level_size(IntPtr level, Size* @out);
        [DllImport(Name)] internal static extern int bitwall_level_open_side(IntPtr level, int side, int open);
        [DllImport(Name)] internal static extern int bitwall_level_prepare(IntPtr level, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_level_is_solid(IntPtr level, int x, int y);
        [DllImport(Name)] internal static extern int bitwall_level_overlaps(IntPtr level, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_level_can_move(IntPtr level, int x, int y, int w, int h, int dir, int step);
        [DllImport(Name)] internal static extern int bitwall_level_sweep(IntPtr level, int x, int y, int w, int h, int dir, int step, Sweep* @out);
        [DllImport(Name)] internal static extern int bitwall_level_can_move_all(IntPtr level, int* questions, UIntPtr questionsCount, byte* answers, UIntPtr answersCount);
        [DllImport(Name)] internal static extern int bitwall_level_sweep_all(IntPtr level, int* questions, UIntPtr questionsCount, int* answers, UIntPtr answersCount);
        [DllImport(Name)] internal static extern int bitwall_level_ray(IntPtr level, int x, int y, int toX, int toY, int corners, Ray* @out);
        [DllImport(Name)] internal static extern int bitwall_level_line_of_sight(IntPtr level, int x, int y, int toX, int toY, int corners);
        [DllImport(Name)] internal static extern int bitwall_level_footprint_overlaps(IntPtr level, IntPtr footprint, int x, int y);
        [DllImport(Name)] internal static extern int bitwall_level_footprint_sweep(IntPtr level, IntPtr footprint, int x, int y, int dir, int step, Sweep* @out);
        [DllImport(Name)] internal static extern int bitwall_level_set_cell(IntPtr level, int column, int row, int solid);
        [DllImport(Name)] internal static extern int bitwall_level_set_box(IntPtr level, int x, int y, int w, int h, int solid);
        [DllImport(Name)] internal static extern int bitwall_level_set_disc(IntPtr level, int x, int y, int radius, int solid);
        [DllImport(Name)] internal static extern int bitwall_level_set_footprint(IntPtr level, IntPtr footprint, int x, int y, int solid);
        [DllImport(Name)] internal static extern int bitwall_level_place(IntPtr level, IntPtr other, int x, int y);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_patch(IntPtr level, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_level_apply(IntPtr level, IntPtr patch);
        [DllImport(Name)] internal static extern ulong bitwall_level_checksum(IntPtr level);
        [DllImport(Name)] internal static extern int bitwall_level_marker_count(IntPtr level);
        [DllImport(Name)] internal static extern int bitwall_level_find_marker(IntPtr level, byte* name);
        [DllImport(Name)] internal static extern int bitwall_level_marker(IntPtr level, int index, Marker* @out);
        [DllImport(Name)] internal static extern byte* bitwall_level_marker_name(IntPtr level, int index);
        [DllImport(Name)] internal static extern byte* bitwall_level_marker_class(IntPtr level, int index);
        [DllImport(Name)] internal static extern byte* bitwall_level_marker_layer(IntPtr level, int index);
        [DllImport(Name)] internal static extern int* bitwall_level_marker_points(IntPtr level, int index, UIntPtr* count);
        [DllImport(Name)] internal static extern byte* bitwall_level_marker_properties(IntPtr level, int index);
        [DllImport(Name)] internal static extern byte* bitwall_level_marker_text(IntPtr level, int index, byte* name);
        [DllImport(Name)] internal static extern byte* bitwall_level_areas(IntPtr level);
        [DllImport(Name)] internal static extern int bitwall_level_area_overlaps(IntPtr level, byte* name, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern ulong bitwall_level_area_category(IntPtr level, byte* name);
        [DllImport(Name)] internal static extern int bitwall_level_set_area_category(IntPtr level, byte* name, ulong category);
        [DllImport(Name)] internal static extern byte* bitwall_level_cells(IntPtr level, UIntPtr* count);
        [DllImport(Name)] internal static extern int* bitwall_level_rectangles(IntPtr level, int x, int y, int w, int h, UIntPtr* count);
        [DllImport(Name)] internal static extern int* bitwall_level_outlines(IntPtr level, UIntPtr* count);
        [DllImport(Name)] internal static extern int* bitwall_level_chains(IntPtr level, int x, int y, int w, int h, UIntPtr* count);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_load(byte* path, byte* options);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_decode(byte* name, byte* bytes, UIntPtr bytesCount, byte* options);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_from_files(byte* path, IntPtr files, byte* options);
        [DllImport(Name)] internal static extern byte* bitwall_level_files(IntPtr level);
        [DllImport(Name)] internal static extern byte* bitwall_level_warnings(IntPtr level);
        [DllImport(Name)] internal static extern byte* bitwall_level_why(IntPtr level, int column, int row);
        [DllImport(Name)] internal static extern IntPtr bitwall_level_scene(IntPtr level);
        [DllImport(Name)] internal static extern void bitwall_level_free(IntPtr at);
        [DllImport(Name)] internal static extern void bitwall_patch_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_footprint_new(int width, int height, byte* pixels, UIntPtr pixelsCount);
        [DllImport(Name)] internal static extern IntPtr bitwall_footprint_circle(int diameter);
        [DllImport(Name)] internal static extern IntPtr bitwall_footprint_capsule(int width, int height);
        [DllImport(Name)] internal static extern void bitwall_footprint_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_files_new();
        [DllImport(Name)] internal static extern int bitwall_files_put(IntPtr files, byte* path, byte* bytes, UIntPtr bytesCount);
        [DllImport(Name)] internal static extern byte* bitwall_files_wanted(IntPtr files, int pictures);
        [DllImport(Name)] internal static extern void bitwall_files_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_ways_new(int w, int h);
        [DllImport(Name)] internal static extern int* bitwall_ways_path(IntPtr ways, IntPtr level, int x, int y, int toX, int toY, int smooth, UIntPtr* count);
        [DllImport(Name)] internal static extern int* bitwall_ways_path_toward(IntPtr ways, IntPtr level, int x, int y, int toX, int toY, UIntPtr* count);
        [DllImport(Name)] internal static extern IntPtr bitwall_ways_field(IntPtr ways, IntPtr level, int* goals, UIntPtr goalsCount);
        [DllImport(Name)] internal static extern void bitwall_ways_free(IntPtr at);
        [DllImport(Name)] internal static extern int bitwall_field_step(IntPtr field, int x, int y, Pixel* @out);
        [DllImport(Name)] internal static extern int bitwall_field_distance(IntPtr field, int x, int y);
        [DllImport(Name)] internal static extern void bitwall_field_free(IntPtr at);
        [DllImport(Name)] internal static extern IntPtr bitwall_world_new(int fps);
        [DllImport(Name)] internal static extern int bitwall_world_add_character(IntPtr world, int x, int y, int w, int h, int kind);
        [DllImport(Name)] internal static extern int bitwall_world_add_platform(IntPtr world, int x, int y, int w, int h, int oneWay);
        [DllImport(Name)] internal static extern int bitwall_world_add_piece(IntPtr world, int x, int y, IntPtr piece);
        [DllImport(Name)] internal static extern int bitwall_world_add_pushable(IntPtr world, int x, int y, int w, int h, int mass, float gravity);
        [DllImport(Name)] internal static extern int bitwall_world_add_ball(IntPtr world, int x, int y, int diameter, int mass);
        [DllImport(Name)] internal static extern int bitwall_world_add_bullet(IntPtr world, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_world_add_sensor(IntPtr world, int x, int y, int w, int h);
        [DllImport(Name)] internal static extern int bitwall_world_remove(IntPtr world, int body);
        [DllImport(Name)] internal static extern int* bitwall_world_bodies(IntPtr world, UIntPtr* count);
        [DllImport(Name)] internal static extern int bitwall_world_bounds(IntPtr world, int body, Rect* @out);
        [DllImport(Name)] internal static extern int bitwall_world_position(IntPtr world, int body, Point* @out);
        [DllImport(Name)] internal static extern int bitwall_world_place(IntPtr world, int body, int x, int y);
        [DllImport(Name)] internal static extern int bitwall_world_resize(IntPtr world, IntPtr level, int body, int w, int h, int anchor);
        [DllImport(Name)] internal static extern int bitwall_world_velocity(IntPtr world, int body, Point* @out);
        [DllImport(Name)] internal static extern int bitwall_world_set_velocity(IntPtr world, int body, float velocityX, float velocityY);
        [DllImport(Name)] internal static extern int bitwall_world_set_acceleration(IntPtr world, int body, float x, float y);
        [DllImport(Name)] internal static extern int bitwall_world_set_categories(IntPtr world, int body, ulong category, ulong collidesWith, ulong watches);
        [DllImport(Name)] internal static extern int bitwall_world_settings(IntPtr world, int body, Settings* @out);
        [DllImport(Name)] internal static extern int bitwall_world_set_settings(IntPtr world, int body, Settings* settings);
        [DllImport(Name)] internal static extern int bitwall_world_set_path(IntPtr world, int body, int* stops, UIntPtr stopsCount, float speed, float wait, int round);
        [DllImport(Name)] internal static extern int bitwall_world_set_circle(IntPtr world, int body, int x, int y, int radius, float seconds);
        [DllImport(Name)] internal static extern int bitwall_world_set_player(IntPtr world, int body, Feel* feel);
        [DllImport(Name)] internal static extern int bitwall_world_feel(IntPtr world, int body, Feel* @out);
        [DllImport(Name)] internal static extern int bitwall_world_set_areas(IntPtr world, int body, byte* ladder, byte* water);
        [DllImport(Name)] internal static extern int bitwall_world_set_input(IntPtr world, int body, float x, float y, int jump, int dash);
        [DllImport(Name)] internal static extern int bitwall_world_force(IntPtr world, int body, float x, float y, float seconds);
        [DllImport(Name)] internal static extern int bitwall_world_motion(IntPtr world, int body, Motion* @out);
        [DllImport(Name)] internal static extern int bitwall_world_step(IntPtr world, IntPtr level);
        [DllImport(Name)] internal static extern Event* bitwall_world_events(IntPtr world, UIntPtr* count);
        [DllImport(Name)] internal static extern Drawn* bitwall_world_drawn(IntPtr world, IntPtr level, UIntPtr* count);
        [DllImport(Name)] internal static extern int bitwall_world_standing_on(IntPtr world, int body);
        [DllImport(Name)] internal static extern int bitwall_world_drop_through(IntPtr world, IntPtr level, int body);
        [DllImport(Name)] internal static extern int bitwall_world_unstick(IntPtr world, IntPtr level, int body, int radius, Pixel* @out);
        [DllImport(Name)] internal static extern int* bitwall_world_overlapping(IntPtr world, int x, int y, int w, int h, ulong categories, UIntPtr* count);
        [DllImport(Name)] internal static extern int bitwall_world_nearest(IntPtr world, int x, int y, int radius, ulong categories);
        [DllImport(Name)] internal static extern int bitwall_world_sweep(IntPtr world, IntPtr level, int x, int y, int w, int h, int dir, int step, ulong categories, Sweep* @out);
        [DllImport(Name)] internal static extern int bitwall_world_ray(IntPtr world, IntPtr level, int x, int y, int toX, int toY, ulong categories, Ray* @out);
        [DllImport(Name)] internal static extern IntPtr bitwall_world_copy(IntPtr world);
        [DllImport(Name)] internal static extern int bitwall_world_restore(IntPtr world, IntPtr other);
        [DllImport(Name)] internal static extern ulong bitwall_world_checksum(IntPtr world);
        [DllImport(Name)] internal static extern void bitwall_world_free(IntPtr at);
    }
}
