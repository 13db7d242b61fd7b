//! The hash of all answers as a WebAssembly module, which exports `hash()`.

pub mod answers;

/// Returns the hash of all answers.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn hash() -> u64 {
    answers::all().hash()
}
