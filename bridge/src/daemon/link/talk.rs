//! Messages over frames, in parts where needed, and over the socket where it is there and they are large.

use std::time::Duration;

use drawbridge_protocol::bulk;
use drawbridge_protocol::error::Error;
use drawbridge_protocol::frame::{self, Assembler};
use drawbridge_protocol::ids::CallId;
use drawbridge_protocol::link::{SocketOffer, ToBridge, ToExtension};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tokio_tungstenite::tungstenite::Utf8Bytes;

use super::End;
use super::channel::Channel;
use super::data::{Data, Heard};
use crate::daemon::hub::Hub;
use crate::wire::{self, FrameReader};

/// The extension's end of a link. Writing has a task of its own, so that a browser that reads slowly does not keep its
/// replies from being read.
pub(super) struct Talk<R> {
    reader: FrameReader<R>,
    assembler: Assembler,
    /// The writing task holds the other end. Unbounded, since a link that reads nothing is ended by its silence.
    frames: mpsc::UnboundedSender<String>,
    writing: JoinHandle<()>,
    messages: u64,
    data: Data,
    /// Whether the extension can use a socket.
    wants: bool,
    channel: Channel,
}

impl<R: AsyncRead + Unpin> Talk<R> {
    pub(super) fn new<W: AsyncWrite + Unpin + 'static>(reader: FrameReader<R>, mut writer: W) -> Self {
        let (frames, mut queue) = mpsc::unbounded_channel::<String>();
        let writing = tokio::task::spawn_local(async move {
            while let Some(frame) = queue.recv().await {
                if let Err(error) = wire::write(&mut writer, &frame).await {
                    tracing::info!(%error, "link no longer takes frames");
                    return;
                }
            }
        });
        Self {
            reader,
            assembler: Assembler::default(),
            frames,
            writing,
            messages: 0,
            data: Data::default(),
            wants: false,
            channel: Channel::default(),
        }
    }

    /// The next whole message, whichever way it came. Safe to drop at any await.
    pub(super) async fn next(&mut self) -> Result<ToBridge, End> {
        loop {
            let message = tokio::select! {
                frame = self.reader.next() => {
                    let frame = frame.map_err(End::Wire)?.ok_or(End::Closed)?;
                    self.native(frame)?
                }
                heard = self.data.next() => self.heard(heard)?,
            };
            if let Some(message) = message {
                return Ok(message);
            }
        }
    }

    /// Sends a message the way it has to go.
    pub(super) fn send(&mut self, message: &ToExtension) -> Result<(), End> {
        let text = wire::text(message).map_err(End::Wire)?;
        let (starts, about) = calls(message);
        match self.data.send(text, starts, about) {
            Some(text) => self.post(text),
            None => Ok(()),
        }
    }

    /// Lets what was sent go out, bounded, and closes.
    pub(super) async fn finish(self) {
        drop(self.frames);
        let abort = self.writing.abort_handle();
        if timeout(Duration::from_secs(1), self.writing).await.is_err() {
            abort.abort();
        }
    }

    /// Says whether the extension can use a socket at all.
    pub(super) fn wants_socket(&mut self, wants: bool) {
        self.wants = wants;
    }

    /// An offer of a socket, if there is to be one.
    pub(super) fn offer(&mut self, hub: &Hub) -> Option<SocketOffer> {
        if !self.wants {
            return None;
        }
        if !hub.settings.socket() {
            self.channel.off();
            return None;
        }
        let offer = self.data.offer(&hub.sockets);
        match offer {
            Some(_) => self.channel.offered(),
            None => self.channel.no_port(),
        }
        offer
    }

    /// How its socket is, also later.
    pub(super) fn channel(&self) -> Channel {
        self.channel.clone()
    }

    /// Brings the socket in line with the setting.
    pub(super) fn change_socket(&mut self, hub: &Hub) -> Result<(), End> {
        if !self.wants || (hub.settings.socket() && self.data.is_open()) {
            return Ok(());
        }
        let offer = self.offer(hub);
        if offer.is_none() {
            self.close(None)?;
        }
        self.send(&ToExtension::Socket { offer })
    }

    /// To be called at regular times: gives up a socket that takes nothing any more.
    pub(super) fn beat(&mut self) -> Result<(), End> {
        if self.data.outbox.is_stuck() {
            tracing::warn!("the socket of a link takes nothing any more");
            return self.close(None);
        }
        Ok(())
    }

    fn native(&mut self, frame: Vec<u8>) -> Result<Option<ToBridge>, End> {
        let text =
            String::from_utf8(frame).map_err(|_| End::Protocol(Error::argument("frame", "is no UTF-8")))?;
        let Some(whole) = self.assembler.take(text).map_err(End::Protocol)? else {
            return Ok(None);
        };
        match wire::parse(whole.as_bytes()).map_err(End::Wire)? {
            ToBridge::Taken { number } => {
                self.data.outbox.taken(number).map_err(End::Protocol)?;
                Ok(None)
            }
            ToBridge::Again { number, message } => self.numbered(number, || Ok(*message)),
            message => Ok(Some(message)),
        }
    }

    fn heard(&mut self, heard: Heard) -> Result<Option<ToBridge>, End> {
        match heard {
            Heard::Came(socket) => {
                self.close(None)?;
                self.data.open(*socket);
                self.channel.open();
                tracing::debug!("socket up");
                Ok(None)
            }
            Heard::Frame(text) => self.framed(&text),
            Heard::Closed(generation) => self.close(Some(generation)).map(|()| None),
        }
    }

    fn framed(&mut self, text: &Utf8Bytes) -> Result<Option<ToBridge>, End> {
        let (number, json) = bulk::unframed(text).map_err(End::Protocol)?;
        self.numbered(number, || wire::parse(json.as_bytes()).map_err(End::Wire))
    }

    /// Takes a message of the socket, unless it came before.
    fn numbered(
        &mut self,
        number: u64,
        read: impl FnOnce() -> Result<ToBridge, End>,
    ) -> Result<Option<ToBridge>, End> {
        let message = if self.data.inbox.is_new(number).map_err(End::Protocol)? {
            Some(travels(read()?)?)
        } else {
            None
        };
        self.send(&ToExtension::Taken { number })?;
        Ok(message)
    }

    fn close(&mut self, generation: Option<u64>) -> Result<(), End> {
        for text in self.data.close(generation) {
            self.post(text)?;
        }
        Ok(())
    }

    /// Hands a message to the writing task of the native port.
    fn post(&mut self, text: String) -> Result<(), End> {
        self.messages += 1;
        for frame in frame::cut(text, self.messages).map_err(End::Protocol)? {
            self.frames.send(frame).map_err(|_| End::Closed)?;
        }
        Ok(())
    }
}

/// The call that a message starts, and the one that it is about.
fn calls(message: &ToExtension) -> (Option<CallId>, Option<CallId>) {
    match message {
        ToExtension::Call { id, .. } => (Some(*id), None),
        ToExtension::Cancel { id } => (None, Some(*id)),
        ToExtension::Challenge { .. }
        | ToExtension::Paired
        | ToExtension::Ask { .. }
        | ToExtension::Withdraw { .. }
        | ToExtension::Welcome(_)
        | ToExtension::Record { .. }
        | ToExtension::Refused { .. }
        | ToExtension::Ping { .. }
        | ToExtension::Socket { .. }
        | ToExtension::Taken { .. }
        | ToExtension::Again { .. } => (None, None),
    }
}

/// Only replies grow large; nothing else has a reason to come over the socket.
fn travels(message: ToBridge) -> Result<ToBridge, End> {
    match message {
        ToBridge::Reply { .. } => Ok(message),
        ToBridge::Hello(_)
        | ToBridge::Proof { .. }
        | ToBridge::Decision { .. }
        | ToBridge::Pong { .. }
        | ToBridge::TabGone { .. }
        | ToBridge::Record { .. }
        | ToBridge::WantSocket
        | ToBridge::Taken { .. }
        | ToBridge::Again { .. } => Err(End::Protocol(Error::argument(
            "type",
            "only replies travel over the socket",
        ))),
    }
}
