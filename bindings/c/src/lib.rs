//! bitwall for C, and for all that loads a C library. `generated.rs` has the functions and `include/bitwall.h` is the
//! header, both written by `bindings/doors` from the facade; this file has what they stand on.
//!
//! Arguments and results are plain numbers and pointers; no structure passes by value, because LuaJIT leaves
//! calls with structures to its interpreter. Every pointer is tested for null. No panic leaves this package.
//!
//! # Safety
//! This is the only package with unsafe code. Each function has the same preconditions:
//! * A handle is null, or comes from this library and is not freed.
//! * No other thread uses a handle while a function without `const` on it in the header runs.
//! * A text is null or ends in a zero byte; an array is null or has the stated number of elements; a place for an
//!   answer is null or one. A null pointer, a misaligned array and arrays that overlap are errors, because the
//!   library can see them.

// The readers for JavaScript have few functions, which need but a part of this file.
#![cfg_attr(not(feature = "play"), allow(dead_code))]

use std::any::Any;
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bitwall_facade::*;

/// A fault of this library; please report it.
pub const INTERNAL: i32 = -5;
/// A pointer is null.
pub const NULL: i32 = -6;

/// The bytes of the text of an error, with the zero at its end.
const ROOM: usize = 4096;
/// How many texts and lists of a thread stay valid.
const KEPT: usize = 8;

thread_local! {
    /// The last error. Its text stays at one address, so that a pointer to it is never dangling.
    static ERROR: RefCell<(i32, Box<[u8; ROOM]>)> = RefCell::new((0, Box::new([0; ROOM])));
    /// The last texts and lists.
    static ANSWERS: RefCell<VecDeque<Box<dyn Any>>> = const { RefCell::new(VecDeque::new()) };
}

/// Runs `body`; on an error or a panic, keeps it and returns what `failed` makes of its code.
#[inline]
fn guard<T>(failed: impl FnOnce(i32) -> T, body: impl FnOnce() -> Result<T>) -> T {
    // The web does not unwind.
    let answer = if cfg!(panic = "unwind") {
        catch_unwind(AssertUnwindSafe(body)).unwrap_or_else(|_| Err(fault()))
    } else {
        body()
    };
    answer.unwrap_or_else(|error| failed(keep(*error)))
}

fn failure(code: i32, text: String) -> Box<Error> {
    Box::new(Error { code, text })
}

#[cold]
#[inline(never)]
fn fault() -> Box<Error> {
    failure(INTERNAL, "a fault of bitwall; please report it".to_owned())
}

#[cold]
#[inline(never)]
fn keep(Error { code, text }: Error) -> i32 {
    ERROR.with_borrow_mut(|(last, room)| {
        let mut end = text.len().min(ROOM - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        room.fill(0);
        room[..end].copy_from_slice(&text.as_bytes()[..end]);
        // A zero byte would end the text.
        room[..end].iter_mut().filter(|byte| **byte == 0).for_each(|byte| *byte = b' ');
        *last = code;
    });
    code
}

/// Runs `body` for a function that returns an answer of at least -1 or an error code.
#[inline]
fn answer(body: impl FnOnce() -> Result<i32>) -> i32 {
    guard(|code| code, body)
}

fn word(body: impl FnOnce() -> Result<u64>) -> u64 {
    guard(|_| 0, body)
}

fn pointer<T>(body: impl FnOnce() -> Result<T>) -> *mut T {
    guard(|_| std::ptr::null_mut(), || body().map(|value| Box::into_raw(Box::new(value))))
}

fn text_answer(body: impl FnOnce() -> Result<String>) -> *const c_char {
    guard(
        |_| std::ptr::null(),
        || {
            let text = CString::new(body()?.replace('\0', " ")).unwrap_or_default();
            let first = text.as_ptr();
            keep_answer(Box::new(text));
            Ok(first)
        },
    )
}

fn list<T: 'static>(body: impl FnOnce() -> Result<Vec<T>>) -> *const T {
    guard(
        |_| std::ptr::null(),
        || {
            let all = body()?;
            let first = all.as_ptr();
            keep_answer(Box::new(all));
            Ok(first)
        },
    )
}

/// Writes the number of elements, and returns them.
fn counted<T>(all: Vec<T>, count: &mut usize) -> Vec<T> {
    *count = all.len();
    all
}

fn keep_answer(answer: Box<dyn Any>) {
    ANSWERS.with_borrow_mut(|answers| {
        answers.push_back(answer);
        if answers.len() > KEPT {
            answers.pop_front();
        }
    });
}

#[cold]
#[inline(never)]
fn null(name: &str) -> Box<Error> {
    failure(NULL, format!("`{name}` is null; pass a pointer that is not"))
}

#[cold]
#[inline(never)]
fn misaligned(address: usize, align: usize, name: &str) -> Box<Error> {
    let allowed = format!("an address that is a multiple of {align}");
    bad(name, format_args!("at the address {address:#x}"), allowed)
}

/// # Safety
/// `pointer` is null or valid for reads while the result is used.
#[inline]
unsafe fn read<'a, T>(pointer: *const T, name: &str) -> Result<&'a T> {
    if !pointer.is_aligned() {
        return Err(misaligned(pointer.addr(), align_of::<T>(), name));
    }
    // SAFETY: the caller's promise, and it is aligned.
    unsafe { pointer.as_ref() }.ok_or_else(|| null(name))
}

/// # Safety
/// `pointer` is null or valid for reads and writes, by nobody else, while the result is used.
#[inline]
unsafe fn write<'a, T>(pointer: *mut T, name: &str) -> Result<&'a mut T> {
    if !pointer.is_aligned() {
        return Err(misaligned(pointer.addr(), align_of::<T>(), name));
    }
    // SAFETY: the caller's promise, and it is aligned.
    unsafe { pointer.as_mut() }.ok_or_else(|| null(name))
}

/// Writes an answer to its place. Returns 0.
///
/// # Safety
/// `out` is null or a place for an answer.
#[inline]
unsafe fn put<T>(out: *mut T, found: T) -> Result<i32> {
    if !out.is_aligned() {
        return Err(misaligned(out.addr(), align_of::<T>(), "out"));
    }
    if out.is_null() {
        return Err(null("out"));
    }
    // SAFETY: it is aligned and not null; the rest is the caller's promise. What was there is not dropped.
    unsafe { out.write(found) };
    Ok(0)
}

/// # Safety
/// `handle` is null, or comes from this library and is not freed.
unsafe fn free<T>(handle: *mut T) {
    if !handle.is_null() {
        // SAFETY: it comes from `Box::into_raw`, by the caller's promise, and is freed once.
        let handle = unsafe { Box::from_raw(handle) };
        answer(|| {
            drop(handle);
            Ok(0)
        });
    }
}

/// # Safety
/// `text` is null or ends in a zero byte, and does not change while the result is used.
unsafe fn given_text<'a>(text: *const c_char, name: &str) -> Result<&'a str> {
    if text.is_null() {
        return Err(null(name));
    }
    // SAFETY: it is not null; the rest is the caller's promise.
    let bytes = unsafe { CStr::from_ptr(text) };
    bytes.to_str().map_err(|_| failure(ARGUMENT, format!("`{name}` is no UTF-8")))
}

/// Returns an error for an array that no memory can hold: null, misaligned, or too long.
fn test_array<T>(first: *const T, count: usize, name: &str) -> Result<()> {
    if first.is_null() {
        return Err(null(name));
    }
    if !first.is_aligned() {
        return Err(misaligned(first.addr(), align_of::<T>(), name));
    }
    let most = isize::MAX as usize / size_of::<T>();
    if count > most {
        return Err(bad("count", count, format_args!("at most {most}")));
    }
    Ok(())
}

/// # Safety
/// `first` is null or the first of `count` elements that do not change while the result is used.
unsafe fn slice<'a, T>(first: *const T, count: usize, name: &str) -> Result<&'a [T]> {
    if count == 0 {
        return Ok(&[]);
    }
    test_array(first, count, name)?;
    // SAFETY: memory can hold it; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts(first, count) })
}

/// # Safety
/// `first` is null or the first of `count` elements that nobody else uses while the result is used.
unsafe fn slice_mut<'a, T>(first: *mut T, count: usize, name: &str) -> Result<&'a mut [T]> {
    if count == 0 {
        return Ok(&mut []);
    }
    test_array(first, count, name)?;
    // SAFETY: memory can hold it; the rest is the caller's promise.
    Ok(unsafe { std::slice::from_raw_parts_mut(first, count) })
}

/// Returns an error if an array that is written to has a byte of another one.
fn apart<T, U>(
    name: &str,
    first: *const T,
    count: usize,
    other_name: &str,
    other: *const U,
    other_count: usize,
) -> Result<()> {
    // `slice` refuses null.
    if first.is_null() || other.is_null() {
        return Ok(());
    }
    let end = first.wrapping_add(count).addr();
    let other_end = other.wrapping_add(other_count).addr();
    if first.addr() < other_end && other.addr() < end {
        return Err(bad(name, format_args!("inside `{other_name}`"), "an array of its own"));
    }
    Ok(())
}

#[inline]
fn flag(name: &str, value: i32) -> Result<bool> {
    match value {
        0 => Ok(false),
        1 => Ok(true),
        _ => Err(bad(name, value, "0 or 1")),
    }
}

/// Returns the version of bitwall.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// Returns the code of the last error of this thread; 0 before the first error.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_error_code() -> i32 {
    ERROR.with_borrow(|error| error.0)
}

/// Returns the last error of this thread as a sentence in UTF-8: the file, the place, the cause and a remedy.
/// Empty before the first error. The next error of this thread is written to the same address.
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_error_text() -> *const c_char {
    ERROR.with_borrow(|error| error.1.as_ptr().cast())
}

/// Returns room for `size` bytes, aligned for every argument: the door for JavaScript writes arguments there.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub extern "C" fn bitwall_room(size: usize) -> *mut u64 {
    Box::leak(vec![0_u64; size / 8 + 1].into_boxed_slice()).as_mut_ptr()
}

/// Frees the room.
///
/// # Safety
/// `first` is from `bitwall_room` with the same size, and is freed once.
#[cfg(target_family = "wasm")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn bitwall_room_free(first: *mut u64, size: usize) {
    // SAFETY: the caller's promise.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(first, size / 8 + 1)) });
}

include!("generated.rs");
