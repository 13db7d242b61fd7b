
/** Loads a level whose files the game reads: `read(path)` returns the bytes of a file as a Uint8Array, or null, or a
 * promise of them. */
Level.read = async (path, read, options = "") => {
  const files = Files.new();
  try {
    for (let wanted = path; wanted !== ""; wanted = files.wanted(false)) {
      const contents = await read(wanted);
      if (contents) files.put(wanted, contents);
    }
    return Level.fromFiles(path, files, options);
  } finally {
    files.free();
  }
};

/** Loads a level from a URL, with the files to which it refers. */
Level.fetch = (url, options = "") =>
  Level.read(String(url), async (path) => {
    const answer = await fetch(path);
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : null;
  }, options);
