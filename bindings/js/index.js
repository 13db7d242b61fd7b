// The core: levels of cells, text or baked bytes, everything that is asked of them, heroes, worlds and ways. Its WebAssembly
// is inlined, so that browsers, bundlers and Node take the module alike. Files: `bitwall/load`, `bitwall/ldtk`.
import { start } from "./core.js";
import { inflated } from "./inflated.js";
import packed from "./core.packed.js";

start(await inflated(packed));
export * from "./core.js";
