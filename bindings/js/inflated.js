/** The instance of a module of WebAssembly that is packed as base64 of gzip. */
export async function inflated(packed) {
  const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  const module = await new Response(stream).arrayBuffer();
  return (await WebAssembly.instantiate(module)).instance;
}
