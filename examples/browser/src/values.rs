//! The values of JavaScript in calls. Each is tested here, for WebAssembly would take NaN for 0, 2.9 for 2, -3 for
//! 4294967293, and a text for a file of zeros. An error names the argument and what is allowed.

use std::fmt::Display;
use std::ops::RangeInclusive;

use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::*;

use crate::arguments;

// An error that passed through a call of the module would leave its objects locked, so each is caught.
#[wasm_bindgen]
extern "C" {
    /// The class of the bytes of a file.
    #[wasm_bindgen(js_name = Uint8Array)]
    type Bytes;

    #[wasm_bindgen(js_namespace = Uint8Array, js_name = from, catch)]
    fn copy(bytes: &JsValue) -> Result<Vec<u8>, JsValue>;

    /// An array of any kind.
    type List;

    #[wasm_bindgen(method, getter, structural, catch)]
    fn length(this: &List) -> Result<JsValue, JsValue>;

    #[wasm_bindgen(js_namespace = Array, js_name = from, catch)]
    fn elements(list: &JsValue) -> Result<Vec<JsValue>, JsValue>;
}

/// Returns the error that refuses `value` for the argument `name`.
pub(crate) fn refused(name: &str, value: impl Display, allowed: impl Display) -> JsError {
    JsError::new(&arguments::refused(name, value, allowed))
}

/// Returns the whole number `value`.
pub(crate) fn whole(
    name: &str,
    value: &JsValue,
    range: RangeInclusive<i32>,
) -> Result<i32, JsError> {
    let is_inside = |number: &f64| {
        number.fract() == 0.0
            && (f64::from(*range.start())..=f64::from(*range.end())).contains(number)
    };
    match value.as_f64().filter(is_inside) {
        Some(number) => Ok(number as i32),
        None => Err(refused(name, said(value), arguments::whole(&range))),
    }
}

/// Returns a number as JavaScript prints it.
pub(crate) fn said(value: &JsValue) -> String {
    match value.as_f64() {
        None => "no number".to_owned(),
        Some(number) if number.fract() == 0.0 && number.abs() < 1e21 => number.to_string(),
        Some(number) => format!("{number:?}"),
    }
}

/// Returns the text `value`.
pub(crate) fn text(name: &str, value: &JsValue, allowed: &str) -> Result<String, JsError> {
    value.as_string().ok_or_else(|| refused(name, "no text", allowed))
}

/// Returns a copy of the bytes `value`.
pub(crate) fn bytes(name: &str, value: &JsValue) -> Result<Vec<u8>, JsError> {
    let bytes = if value.is_instance_of::<Bytes>() { copy(value).ok() } else { None };
    bytes.ok_or_else(|| refused(name, "no Uint8Array", "a Uint8Array"))
}

/// Returns the elements of an array of at most `most`; otherwise, what the value is.
pub(crate) fn list(value: &JsValue, most: usize) -> Result<Vec<JsValue>, String> {
    let length = if value.is_object() { value.unchecked_ref::<List>().length().ok() } else { None };
    match length.and_then(|length| length.as_f64()) {
        None => Err("no list".to_owned()),
        Some(length) if length > most as f64 => Err(format!("a list of {length}")),
        Some(_) => elements(value).map_err(|_| "no list".to_owned()),
    }
}
