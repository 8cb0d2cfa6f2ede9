//! The reader: a WASM module of its own, compiled once, with a fresh instance for each read, so that its memory does
//! not grow for ever and a trap ends one read only.

use std::cell::RefCell;

use drawbridge_protocol::Error;
use drawbridge_protocol::reader::{ReadReply, ReadRequest};
use futures_util::future::{FutureExt, LocalBoxFuture, Shared};
use js_sys::WebAssembly::{self, Instance, Module};
use js_sys::{DataView, Function, JsString, Object, Promise, Reflect, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;

use crate::chrome::{own_address, words};

/// Reads columns as the request asks.
///
/// # Errors
/// `internal`: the reader could not be loaded, trapped, or answered with something else than a reply.
pub(crate) async fn read(request: &ReadRequest, columns: &JsString) -> Result<ReadReply, Error> {
    let module = module()
        .await
        .map_err(|problem| Error::internal(format!("the reader: {problem}")))?;
    let instance = JsFuture::from(WebAssembly::instantiate_module(&module, &Object::new()))
        .await
        .map_err(|error| fault("could not start", &error))?;
    let request = serde_json::to_vec(request).map_err(|error| Error::internal(error.to_string()))?;
    let exports = Exports::of(&instance.unchecked_into())?;
    let reply = exports
        .read(&request, columns)
        .map_err(|error| fault("ended in the middle", &error))?;
    serde_json::from_slice(&reply).map_err(|error| Error::internal(format!("the reader's reply: {error}")))
}

/// Compiles the reader ahead of the first read.
pub(crate) async fn warm_up() {
    if let Err(problem) = module().await {
        crate::log(&format!("the reader: {problem}"));
    }
}

type Compiling = Shared<LocalBoxFuture<'static, Result<Module, String>>>;

thread_local! {
    static MODULE: RefCell<Option<Compiling>> = const { RefCell::new(None) };
}

#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_name = fetch)]
    fn fetch(address: &str) -> Promise;

    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method, js_name = encodeInto)]
    fn encode_into(this: &TextEncoder, text: &JsString, bytes: &Uint8Array) -> JsValue;
}

async fn module() -> Result<Module, String> {
    let compiling = MODULE.with_borrow_mut(|module| {
        module
            .get_or_insert_with(|| compile().boxed_local().shared())
            .clone()
    });
    let compiled = compiling.await;
    if compiled.is_err() {
        // The next read tries again.
        MODULE.with_borrow_mut(|module| *module = None);
    }
    compiled
}

async fn compile() -> Result<Module, String> {
    let response = fetch(&own_address("reader.wasm"));
    let compiled = JsFuture::from(WebAssembly::compile_streaming(&response)).await;
    compiled
        .map(JsCast::unchecked_into)
        .map_err(|error| words(&error))
}

/// The functions of one instance.
struct Exports {
    alloc: Function,
    read: Function,
    memory: WebAssembly::Memory,
}

impl Exports {
    fn of(instance: &Instance) -> Result<Self, Error> {
        let exports = instance.exports();
        let export = |name: &str| {
            Reflect::get(&exports, &name.into()).map_err(|error| fault("lacks an export", &error))
        };
        let not_it = |value: JsValue| fault("has another shape", &value);
        Ok(Self {
            alloc: export("alloc")?.dyn_into().map_err(not_it)?,
            read: export("read")?.dyn_into().map_err(not_it)?,
            memory: export("memory")?.dyn_into().map_err(not_it)?,
        })
    }

    /// The reply's bytes. Nothing is freed: the instance goes with all its memory.
    fn read(&self, request: &[u8], columns: &JsString) -> Result<Vec<u8>, JsValue> {
        let request_len =
            u32::try_from(request.len()).map_err(|_| JsValue::from_str("the request is too long"))?;
        let request_at = self.alloc(request_len)?;
        self.bytes(request_at, request_len).copy_from(request);
        // A UTF-16 unit takes three bytes of UTF-8 at most.
        let room = columns
            .length()
            .checked_mul(3)
            .ok_or_else(|| JsValue::from_str("the page is too large"))?;
        let columns_at = self.alloc(room)?;
        let written = TextEncoder::new().encode_into(columns, &self.bytes(columns_at, room));
        let written = Reflect::get(&written, &"written".into())?;
        let reply = self.read.call4(
            &JsValue::NULL,
            &request_at.into(),
            &request_len.into(),
            &columns_at.into(),
            &written,
        )?;
        let reply_at = pointer(&reply)?;
        let length = DataView::new(&self.memory.buffer().unchecked_into(), reply_at as usize, 4)
            .get_uint32_endian(0, true);
        Ok(self.bytes(reply_at + 4, length).to_vec())
    }

    fn alloc(&self, length: u32) -> Result<u32, JsValue> {
        pointer(&self.alloc.call1(&JsValue::NULL, &length.into())?)
    }

    /// A view that the next allocation may detach.
    fn bytes(&self, at: u32, length: u32) -> Uint8Array {
        Uint8Array::new_with_byte_offset_and_length(&self.memory.buffer(), at, length)
    }
}

/// WASM hands out 32-bit numbers as signed.
fn pointer(value: &JsValue) -> Result<u32, JsValue> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a wasm32 address is 32 bits wide"
    )]
    let pointer = value.as_f64().map(|number| number as i64 as u32);
    match pointer {
        Some(0) | None => Err(JsValue::from_str("no memory")),
        Some(pointer) => Ok(pointer),
    }
}

fn fault(what: &str, error: &JsValue) -> Error {
    Error::internal(format!("the reader {what}: {}", words(error)))
}
