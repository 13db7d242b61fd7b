//! The hash of answers as a WebAssembly module: `hash()` for its host.

pub mod answers;

/// The hash of all answers.
// SAFETY: no other symbol of the module has this name.
#[unsafe(no_mangle)]
pub extern "C" fn hash() -> u64 {
    answers::all().hash()
}
