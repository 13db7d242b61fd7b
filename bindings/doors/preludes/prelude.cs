// bitwall: level collision for 2D games, for Unity, Godot, MonoGame and all of .NET: C# 7, compiled with `-unsafe`. Put this
// file into the project and the library (bitwall_c.dll, libbitwall_c.so or .dylib) beside the program; in Unity into
// Assets/Plugins. Positions are whole pixels, x to the right, y down; a box covers x <= p < x + w. A wrong argument is a
// BitwallException with a sentence that says what is allowed. Dispose frees a handle at once, the collector later.
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
        internal static BitwallException Last() { return new BitwallException(Text(Native.bitwall_error_text())); }
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
        /// <summary>Loads a level whose files the game reads: `read` returns the bytes of a path, or null. `options` is the
        /// text of a `bitwall.toml`, or empty.</summary>
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
