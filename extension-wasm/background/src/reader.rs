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
    with(std::slice::from_ref(columns), |_| request.clone()).await
}

/// Reads several columns, one after another; `request` is told how many bytes each of them has.
///
/// # Errors
/// Those of [`read`].
pub(crate) async fn with(
    columns: &[JsString],
    request: impl FnOnce(&[u32]) -> ReadRequest,
) -> Result<ReadReply, Error> {
    let module = module()
        .await
        .map_err(|problem| Error::internal(format!("the reader: {problem}")))?;
    let instance = JsFuture::from(WebAssembly::instantiate_module(&module, &Object::new()))
        .await
        .map_err(|error| fault("could not start", &error))?;
    let exports = Exports::of(&instance.unchecked_into())?;
    let broken = |error: JsValue| fault("ended in the middle", &error);
    let (at, bytes) = exports.put(columns).map_err(broken)?;
    let request = serde_json::to_vec(&request(&bytes)).map_err(|error| Error::internal(error.to_string()))?;
    let reply = exports.read(&request, at, bytes.iter().sum()).map_err(broken)?;
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

    /// Writes columns one after another; answers where they begin and how many bytes each has.
    fn put(&self, columns: &[JsString]) -> Result<(u32, Vec<u32>), JsValue> {
        // A UTF-16 unit takes three bytes of UTF-8 at most.
        let room = columns
            .iter()
            .try_fold(0_u32, |room, one| room.checked_add(one.length().checked_mul(3)?))
            .ok_or_else(|| JsValue::from_str("the page is too large"))?;
        let at = self.alloc(room)?;
        let (encoder, mut taken, mut bytes) = (TextEncoder::new(), 0, Vec::new());
        for one in columns {
            let written = encoder.encode_into(one, &self.bytes(at + taken, room - taken));
            let written = pointer(&Reflect::get(&written, &"written".into())?)?;
            taken += written;
            bytes.push(written);
        }
        Ok((at, bytes))
    }

    /// The reply's bytes. Nothing is freed: the instance goes with all its memory.
    fn read(&self, request: &[u8], columns_at: u32, columns_len: u32) -> Result<Vec<u8>, JsValue> {
        let request_len =
            u32::try_from(request.len()).map_err(|_| JsValue::from_str("the request is too long"))?;
        let request_at = self.alloc(request_len)?;
        self.bytes(request_at, request_len).copy_from(request);
        let reply = self.read.call4(
            &JsValue::NULL,
            &request_at.into(),
            &request_len.into(),
            &columns_at.into(),
            &columns_len.into(),
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
