//! What the WASM module exports. The background writes request and columns into memory it asked for, calls `read`, and
//! copies the reply out; all through plain numbers, without generated glue.

#![allow(
    unsafe_code,
    reason = "the module's border: memory is handed over as addresses and lengths"
)]

use std::alloc::Layout;

/// Gives memory for `length` bytes. It lives until `free` gets the same length, or the instance ends.
///
/// Null when there is none.
#[unsafe(no_mangle)]
pub extern "C" fn alloc(length: usize) -> *mut u8 {
    match layout(length) {
        // SAFETY: the layout is never empty.
        Some(layout) => unsafe { std::alloc::alloc(layout) },
        None => std::ptr::null_mut(),
    }
}

/// Takes memory back.
///
/// # Safety
/// `address` comes from `alloc` with this `length`, or from `read` with the length of the reply and 4 more, and was not
/// freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn free(address: *mut u8, length: usize) {
    if let (Some(layout), false) = (layout(length), address.is_null()) {
        // SAFETY: the caller's promise; `alloc` makes the same layout of the same length.
        unsafe { std::alloc::dealloc(address, layout) }
    }
}

/// Reads columns. Answers the address of a little-endian 32-bit length and so many bytes of JSON, a `ReadReply`; null
/// when there is no memory for it.
///
/// # Safety
/// Each address points at as many bytes that were written, or its length is 0.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn read(
    request: *const u8,
    request_length: usize,
    columns: *const u8,
    columns_length: usize,
) -> *mut u8 {
    // SAFETY: the caller's promise.
    let (request, columns) = unsafe { (bytes(request, request_length), bytes(columns, columns_length)) };
    let reply = crate::read_bytes(request, columns);
    let Ok(length) = u32::try_from(reply.len()) else {
        return std::ptr::null_mut();
    };
    let address = alloc(reply.len() + 4);
    if !address.is_null() {
        // SAFETY: `address` has room for both, and nothing else knows it yet.
        unsafe {
            address.copy_from_nonoverlapping(length.to_le_bytes().as_ptr(), 4);
            address
                .add(4)
                .copy_from_nonoverlapping(reply.as_ptr(), reply.len());
        }
    }
    address
}

/// At least one byte, so that every address is a real one.
fn layout(length: usize) -> Option<Layout> {
    Layout::array::<u8>(length.max(1)).ok()
}

/// # Safety
/// As for `read`.
unsafe fn bytes<'a>(address: *const u8, length: usize) -> &'a [u8] {
    if length == 0 || address.is_null() {
        return &[];
    }
    // SAFETY: the caller's promise.
    unsafe { std::slice::from_raw_parts(address, length) }
}
