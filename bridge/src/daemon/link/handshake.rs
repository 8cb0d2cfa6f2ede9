//! Whether an extension and this daemon understand each other, and whether the profile is the one it says it is.

use std::time::Duration;

use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::link::{Hello, ToBridge, ToExtension};
use drawbridge_protocol::local::LinkHello;
use drawbridge_protocol::tools::doctor::HopName;
use drawbridge_protocol::version::{EXTENSION_ID, PROTOCOL};
use tokio::io::AsyncRead;
use tokio::time::timeout;

use super::proof::ProfileKey;
use super::{Talk, range};
use crate::hex;
use crate::versions::build;

/// How long an extension may take to introduce itself.
const HELLO_LIMIT: Duration = Duration::from_secs(10);

/// Which side of a refused link does not fit: the native host, or the extension behind it.
pub(super) fn misfit(local: &LinkHello) -> HopName {
    if local.protocol == PROTOCOL {
        HopName::Worker
    } else {
        HopName::NativeHost
    }
}

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
                "the native host ({}, protocol {}) and the running bridge ({}, protocol {PROTOCOL}) differ",
                local.build,
                local.protocol,
                build()
            ),
        )
        .hint("stop the bridge with `drawbridge daemon --stop`; it starts again by itself"));
    }
    let message = match timeout(HELLO_LIMIT, talk.next()).await {
        Ok(Ok(message)) => message,
        Ok(Err(end)) => {
            return Err(end.refusal().unwrap_or_else(|| {
                Error::new(
                    Code::NotConnected,
                    "the link closed before the extension introduced itself",
                )
            }));
        }
        Err(_) => {
            return Err(Error::new(
                Code::Timeout,
                "the extension did not introduce itself",
            ));
        }
    };
    let ToBridge::Hello(hello) = message else {
        return Err(Error::argument("type", "a hello comes first"));
    };
    let hello = fits(hello)?;
    prove(talk, &hello).await?;
    Ok(hello)
}

/// Nobody is welcomed under a key without having proved that it is theirs.
async fn prove<R: AsyncRead + Unpin>(talk: &mut Talk<R>, hello: &Hello) -> Result<(), Error> {
    let key = ProfileKey::read(&hello.key)?;
    let nonce = hex::random(32).map_err(|error| Error::internal(format!("{error:#}")))?;
    let challenge = ToExtension::Challenge { nonce: nonce.clone() };
    let lost = || {
        Error::new(
            Code::NotConnected,
            "the link closed before the profile proved its key",
        )
    };
    talk.send(&challenge)
        .map_err(|end| end.refusal().unwrap_or_else(lost))?;
    let answer = timeout(HELLO_LIMIT, talk.next())
        .await
        .map_err(|_| Error::new(Code::Timeout, "the profile did not prove its key"))?;
    match answer.map_err(|end| end.refusal().unwrap_or_else(lost))? {
        ToBridge::Proof { signature } => key.verify(&nonce, &hello.target, &signature),
        _ => Err(Error::argument("type", "a proof comes first")),
    }
}

fn fits(hello: Hello) -> Result<Hello, Error> {
    range::check(&hello)?;
    if hello.key.is_empty() {
        return Err(Error::new(
            Code::VersionMismatch,
            format!("the extension ({}) has no key for its profile", hello.build),
        )
        .hint("update the extension"));
    }
    if hello.target.as_str().is_empty() || hello.target.as_str().len() > 128 {
        return Err(Error::argument("target", "is no profile id"));
    }
    Ok(hello)
}
