  /** Loads a level whose files the game reads: `read(path)` returns the bytes of a file, or null, or a promise. */
  static read(
    path: string,
    read: (path: string) => Uint8Array | null | Promise<Uint8Array | null>,
    options?: string,
  ): Promise<Level>;
  /** Loads a level from a URL, with the files to which it refers. */
  static fetch(url: string | URL, options?: string): Promise<Level>;
