//! Whether an extension and this daemon understand each other.

use std::ops::RangeInclusive;
use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::link::{Hello, ToBridge, ToExtension};
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::version::{BUILD, EXTENSION_ID, OLDEST_EXTENSION, PROTOCOL};
use tokio::io::AsyncRead;
use tokio::time::timeout;

use super::Talk;

/// How long an extension may take to introduce itself.
const HELLO_LIMIT: Duration = Duration::from_secs(10);

const SERVED: RangeInclusive<u32> = OLDEST_EXTENSION..=PROTOCOL;

/// Takes the extension's hello, or tells it why not.
pub(super) async fn hello<R: AsyncRead + Unpin>(
    talk: &mut Talk<R>,
    local: &LinkHello,
) -> Result<Hello, Error> {
    let refusal = match introduced(talk, local).await {
        Ok(hello) => return Ok(hello),
        Err(refusal) => refusal,
    };
    // A link that is gone already needs no reason.
    drop(talk.send(&ToExtension::Refused {
        error: refusal.clone(),
    }));
    Err(refusal)
}

async fn introduced<R: AsyncRead + Unpin>(talk: &mut Talk<R>, local: &LinkHello) -> Result<Hello, Error> {
    if local.origin != format!("chrome-extension://{EXTENSION_ID}/") {
        return Err(Error::new(Code::NotGranted, "this extension is not served"));
    }
    if local.protocol != PROTOCOL {
        return Err(Error::new(
            Code::VersionMismatch,
            format!(
                "the native host ({}, protocol {}) and the running bridge ({BUILD}, protocol {PROTOCOL}) differ",
                local.build, local.protocol
            ),
        )
        .hint("stop the bridge with `drawbridge daemon --stop`; it starts again by itself"));
    }
    let message = match timeout(HELLO_LIMIT, talk.next()).await {
        Ok(Ok(message)) => message,
        Ok(Err(end)) => return Err(Error::argument("hello", end)),
        Err(_) => {
            return Err(Error::new(
                Code::Timeout,
                "the extension did not introduce itself",
            ));
        }
    };
    match message {
        ToBridge::Hello(hello) => fits(hello),
        ToBridge::Reply { .. } | ToBridge::Pong { .. } | ToBridge::TabGone { .. } => {
            Err(Error::argument("type", "a hello comes first"))
        }
    }
}

fn fits(hello: Hello) -> Result<Hello, Error> {
    if SERVED.contains(&hello.protocol) {
        let sound = !hello.target.as_str().is_empty() && hello.target.as_str().len() <= 128;
        return if sound {
            Ok(hello)
        } else {
            Err(Error::argument("target", "is no profile id"))
        };
    }
    let side = if hello.protocol < OLDEST_EXTENSION {
        "extension"
    } else {
        "bridge"
    };
    Err(Error::new(
        Code::VersionMismatch,
        format!(
            "the extension ({}, protocol {}) and the bridge ({BUILD}, protocols {OLDEST_EXTENSION} to {PROTOCOL}) do \
             not understand each other",
            hello.build, hello.protocol
        ),
    )
    .hint(format!("update the {side}")))
}
