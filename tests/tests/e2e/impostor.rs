//! A native host that was started by hand and speaks like an extension.

use std::process::Stdio;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use drawbridge_protocol::Error;
use drawbridge_protocol::frame::Assembler;
use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::link::{Hello, ToBridge, ToExtension, proof_text};
use drawbridge_tests::client::{read_frame, write_frame};
use drawbridge_tests::sandbox::Sandbox;
use drawbridge_tests::wait;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use tokio::process::{Child, ChildStdin, ChildStdout};

use crate::extension;

/// The process and its pipes; killed when dropped.
pub(crate) struct Impostor {
    child: Child,
    stdin: ChildStdin,
    stdout: ChildStdout,
    assembler: Assembler,
    target: TargetId,
}

impl Impostor {
    /// Starts the native host of a home and says hello as the extension of a profile.
    pub(crate) async fn start(sandbox: &Sandbox, label: &str, target: &str) -> Result<Self> {
        let mut command = sandbox.native_host(label)?;
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let stdin = child.stdin.take().context("no stdin")?;
        let stdout = child.stdout.take().context("no stdout")?;
        let mut this = Self {
            child,
            stdin,
            stdout,
            assembler: Assembler::default(),
            target: target.into(),
        };
        let hello = Hello {
            target: target.into(),
            key: extension::hex(this.signer()?.verifying_key().to_sec1_point(false).as_bytes()),
            ..extension::introduction()
        };
        this.say(&ToBridge::Hello(hello)).await?;
        Ok(this)
    }

    pub(crate) async fn say(&mut self, message: &ToBridge) -> Result<()> {
        write_frame(&mut self.stdin, &serde_json::to_vec(message)?).await
    }

    /// The daemon's next message; `None` when the link is closed.
    pub(crate) async fn next(&mut self) -> Result<Option<ToExtension>> {
        wait::within("a message of the daemon", Duration::from_secs(20), async {
            loop {
                let Some(frame) = read_frame(&mut self.stdout).await? else {
                    return Ok(None);
                };
                let Some(text) = self.assembler.take(String::from_utf8(frame)?)? else {
                    continue;
                };
                match serde_json::from_str(&text)? {
                    // It has a key like any other, only not one that a person paired.
                    ToExtension::Challenge { nonce } => {
                        let text = proof_text(&nonce, &self.target);
                        let signature: Signature = self.signer()?.sign(text.as_bytes());
                        let signature = extension::hex(&signature.to_bytes());
                        self.say(&ToBridge::Proof { signature }).await?;
                    }
                    other => return Ok(Some(other)),
                }
            }
        })
        .await
    }

    /// The key of the profile that it claims to be: the same for the same name, and never the browser's own.
    fn signer(&self) -> Result<SigningKey> {
        let mut bytes = [7; 32];
        for (byte, name) in bytes.iter_mut().zip(self.target.as_str().bytes()) {
            *byte = name;
        }
        Ok(SigningKey::from_slice(&bytes)?)
    }

    /// Waits for the welcome; returns the name of the profile.
    pub(crate) async fn welcomed(&mut self) -> Result<String> {
        match self.next().await? {
            Some(ToExtension::Welcome(welcome)) => Ok(welcome.name),
            other => bail!("no welcome but {other:?}"),
        }
    }

    /// Waits for the refusal, and for the end that follows it.
    pub(crate) async fn refused(&mut self) -> Result<Error> {
        let Some(ToExtension::Refused { error }) = self.next().await? else {
            bail!("no refusal")
        };
        ensure!(self.next().await?.is_none(), "the link goes on after a refusal");
        wait::within("the native host to end", Duration::from_secs(5), async {
            Ok(self.child.wait().await?)
        })
        .await?;
        Ok(error)
    }

    /// Leaves, and returns everything that came since the last message that was read, pings aside.
    pub(crate) async fn leave(mut self) -> Result<Vec<ToExtension>> {
        drop(self.stdin);
        let mut rest = Vec::new();
        while let Some(frame) = read_frame(&mut self.stdout).await? {
            if let Some(text) = self.assembler.take(String::from_utf8(frame)?)? {
                match serde_json::from_str(&text)? {
                    ToExtension::Ping { .. } => {}
                    other => rest.push(other),
                }
            }
        }
        self.child.wait().await?;
        Ok(rest)
    }
}
