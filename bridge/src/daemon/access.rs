//! Which clients are admitted and what they may do: the stored decisions of a person, and the rules of the build.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::{ClientHello, Decision, Grant};

use super::calls::Calls;
use super::grants::{self, Site};
use super::store::{ClientRow, Store};
use super::text::one_line;
use crate::hex;
use crate::home::Home;

/// Clients that are remembered without having been admitted; one more is served and not remembered.
const STRANGERS_KEPT: usize = 100;

/// What holds where no person decided anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// A packaged build: nobody is admitted, no profile is paired.
    Released,
    /// A sandbox that admits everybody and allows everything that was not revoked.
    Sandbox,
    /// A sandbox where a person has to admit and grant; `--yes` answers for that person.
    Strict,
}

impl Policy {
    /// The policy of this build in a home. Only builds with the feature `sandbox` look at the home's `sandbox.json`.
    ///
    /// # Errors
    /// When `sandbox.json` is there and is not `{"strict": true|false}`.
    pub fn of(home: &Home) -> Result<Self> {
        #[cfg(feature = "sandbox")]
        {
            use anyhow::Context;

            #[derive(serde::Deserialize)]
            #[serde(deny_unknown_fields)]
            struct SandboxFile {
                strict: bool,
            }
            let path = home.root().join("sandbox.json");
            let text = match std::fs::read_to_string(&path) {
                Ok(text) => text,
                Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::Sandbox),
                Err(error) => return Err(error).with_context(|| format!("cannot read {}", path.display())),
            };
            let file: SandboxFile = serde_json::from_str(&text)
                .with_context(|| format!("{} is not as expected", path.display()))?;
            Ok(if file.strict { Self::Strict } else { Self::Sandbox })
        }
        #[cfg(not(feature = "sandbox"))]
        {
            // Nothing in a home can make a released build a sandbox.
            let _ = home;
            Ok(Self::Released)
        }
    }

    /// Whether this is a sandbox of either kind: it offers the sandbox's tools and takes `yes`.
    pub fn is_sandbox(self) -> bool {
        match self {
            Self::Released => false,
            Self::Sandbox | Self::Strict => true,
        }
    }

    /// Whether profiles take calls as soon as they have proved their key.
    pub fn pairs_all(self) -> bool {
        self.is_sandbox()
    }

    /// What grants say that are not there.
    fn default_decision(self) -> Decision {
        match self {
            Self::Sandbox => Decision::Allow,
            Self::Released | Self::Strict => Decision::Ask,
        }
    }
}

/// Clients and grants. A change here re-decides every running call before it is even stored.
#[derive(Debug)]
pub struct Access {
    policy: Policy,
    clients: RefCell<BTreeMap<ClientId, ClientRow>>,
    grants: RefCell<Vec<Grant>>,
    /// How often grants changed in this daemon.
    changes: Cell<u64>,
    calls: Calls,
    store: Store,
}

impl Access {
    /// Loads what was decided before.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn load(policy: Policy, store: Store, calls: Calls) -> Result<Self> {
        let clients = store
            .clients()
            .await?
            .into_iter()
            .map(|row| (row.client.clone(), row))
            .collect();
        let grants = store.grants().await?;
        Ok(Self {
            policy,
            clients: RefCell::new(clients),
            grants: RefCell::new(grants),
            changes: Cell::default(),
            calls,
            store,
        })
    }

    /// The rules of the build.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// Whether a person admitted the client.
    pub fn admitted(&self, client: &ClientId) -> bool {
        match self.policy {
            Policy::Sandbox => true,
            Policy::Released | Policy::Strict => {
                self.clients.borrow().get(client).is_some_and(|row| row.admitted)
            }
        }
    }

    /// What a person decided about a use.
    pub fn decide(&self, client: &ClientId, action: &str, site: &Site) -> Decision {
        grants::decide(
            &self.grants.borrow(),
            self.policy.default_decision(),
            client,
            action,
            site,
        )
    }

    /// Which client this is: the one it says it is if its secret proves that, else one of its own. Remembers it, so
    /// that a person can be shown it.
    pub async fn identify(&self, hello: &ClientHello) -> ClientId {
        let (subject, row) = self.recognize(hello);
        if let Some(row) = row
            && let Err(error) = self.store.put_client(row).await
        {
            tracing::error!(%error, "cannot remember a client");
        }
        subject
    }

    /// The subject of a hello, and its row if that is new or changed.
    fn recognize(&self, hello: &ClientHello) -> (ClientId, Option<ClientRow>) {
        let hash = hello.secret.as_ref().map(|secret| hex::digest(secret.expose()));
        let mut clients = self.clients.borrow_mut();
        let named = clients.get(&hello.client);
        let subject = match (&hash, named.map(|row| &row.secret_hash)) {
            // Who is let in anyhow may do without a secret.
            (None, _) if self.policy == Policy::Sandbox => hello.client.clone(),
            // Nobody can be found again by nothing.
            (None, _) => return (stranger(&hello.client, &hex::random(8).unwrap_or_default()), None),
            (Some(_), None | Some(None)) => hello.client.clone(),
            (Some(hash), Some(Some(known))) if hash == known => hello.client.clone(),
            (Some(hash), Some(Some(_))) => stranger(&hello.client, hash),
        };
        let name = one_line(&hello.name, 64);
        let before = clients.get(&subject).cloned();
        let strangers = clients.values().filter(|row| !row.admitted).count();
        if before.is_none() && strangers >= STRANGERS_KEPT {
            return (subject, None);
        }
        let claimed = before.as_ref().is_some_and(|row| row.secret_hash.is_none());
        let row = ClientRow {
            client: subject.clone(),
            name,
            // What a sandbox admitted without a secret is nobody's in a released build.
            admitted: before.as_ref().is_some_and(|row| row.admitted)
                && (self.policy.is_sandbox() || !claimed),
            secret_hash: hash.or_else(|| before.as_ref().and_then(|row| row.secret_hash.clone())),
        };
        if before.as_ref() == Some(&row) {
            return (subject, None);
        }
        clients.insert(subject.clone(), row.clone());
        (subject, Some(row))
    }

    /// A client that asked to be let in.
    ///
    /// # Errors
    /// `not_found`.
    pub fn asked(&self, client: &ClientId) -> Result<ClientRow, Error> {
        self.clients.borrow().get(client).cloned().ok_or_else(|| {
            Error::new(
                Code::NotFound,
                format!("no client {client} has asked to be let in"),
            )
            .hint("`drawbridge clients list` shows those that did")
        })
    }

    /// All clients that asked, by id.
    pub fn clients(&self) -> Vec<ClientRow> {
        let admitted = |mut row: ClientRow| {
            row.admitted = self.admitted(&row.client);
            row
        };
        self.clients.borrow().values().cloned().map(admitted).collect()
    }

    /// How often grants changed since this daemon began.
    pub fn changes(&self) -> u64 {
        self.changes.get()
    }

    /// All grants.
    pub fn grants(&self) -> Vec<Grant> {
        self.grants.borrow().clone()
    }

    /// Admits a client: a person said so.
    ///
    /// # Errors
    /// `invalid_argument`, `internal` when it cannot be stored.
    pub async fn admit(&self, client: &ClientId) -> Result<(), Error> {
        subject(client)?;
        let row = {
            let clients = self.clients.borrow();
            let known = clients.get(client);
            ClientRow {
                client: client.clone(),
                name: known.map_or_else(String::new, |row| row.name.clone()),
                admitted: true,
                secret_hash: known.and_then(|row| row.secret_hash.clone()),
            }
        };
        self.store.put_client(row.clone()).await.map_err(not_stored)?;
        self.clients.borrow_mut().insert(client.clone(), row);
        Ok(())
    }

    /// A grant with its site as grants keep it.
    ///
    /// # Errors
    /// `invalid_argument`.
    pub fn checked(&self, mut grant: Grant) -> Result<Grant, Error> {
        subject(&grant.subject)?;
        grants::action(&grant.action)?;
        grant.site = grants::site(&grant.site)?;
        Ok(grant)
    }

    /// Writes grants: a person said so, or they only narrow.
    ///
    /// # Errors
    /// `internal` when they cannot be stored.
    pub async fn set(&self, written: Vec<Grant>) -> Result<(), Error> {
        if written.is_empty() {
            return Ok(());
        }
        let replaced = |row: &Grant| {
            written.iter().any(|grant| {
                row.subject == grant.subject && row.action == grant.action && row.site == grant.site
            })
        };
        let mut all: Vec<Grant> = self.grants().into_iter().filter(|row| !replaced(row)).collect();
        all.extend(written);
        self.replace(all).await
    }

    /// Makes an action `off`, everywhere or on one site, whatever was granted before.
    ///
    /// # Errors
    /// `invalid_argument`, `internal` when it cannot be stored; it holds until the daemon ends even then.
    pub async fn revoke(
        &self,
        client: ClientId,
        action: String,
        site: Option<String>,
    ) -> Result<Grant, Error> {
        subject(&client)?;
        grants::action(&action)?;
        let site = site.map_or_else(|| Ok(grants::ANY.to_owned()), |site| grants::site(&site))?;
        let (all, _) = grants::revoke(&self.grants.borrow(), &client, &action, &site);
        self.replace(all).await?;
        Ok(Grant {
            subject: client,
            action,
            site,
            decision: Decision::Off,
        })
    }

    /// Puts grants into force, stops the calls that lost theirs, and only then waits for the disk.
    async fn replace(&self, all: Vec<Grant>) -> Result<(), Error> {
        self.grants.replace(all.clone());
        self.changes.set(self.changes.get() + 1);
        self.calls
            .redecide(|client, action, site| self.decide(client, action, site));
        self.store.put_grants(all).await.map_err(not_stored)
    }

    /// Who answers where a person is needed.
    ///
    /// # Errors
    /// `needs_approval` in a sandbox that admits everybody, where nobody is asked.
    pub fn person(&self, yes: bool) -> Result<Person, Error> {
        match (self.policy, yes) {
            (Policy::Sandbox | Policy::Strict, true) => Ok(Person::IsAnsweredFor),
            (Policy::Released, _) | (Policy::Strict, false) => Ok(Person::IsAsked),
            (Policy::Sandbox, false) => Err(Error::new(Code::NeedsApproval, "only a person widens access")
                .hint("in a sandbox, `--yes` stands for that person")),
        }
    }

    /// Whether a call that needs a person's answer brings the question up.
    pub fn asks_by_itself(&self) -> bool {
        match self.policy {
            Policy::Released | Policy::Strict => true,
            Policy::Sandbox => false,
        }
    }
}

/// Who answers where a person is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Person {
    /// The person, on the approval page.
    IsAsked,
    /// `yes` did, in a sandbox.
    IsAnsweredFor,
}

/// The subject of whoever uses a client's id without its secret. No client can name itself so.
fn stranger(client: &ClientId, mark: &str) -> ClientId {
    let mark = mark.get(..12).unwrap_or(mark);
    ClientId(format!("{client}~{mark}"))
}

/// Checks that a client id is one: 1 to 64 letters, digits, `.`, `_` or `-`, the first of them no `.`.
///
/// # Errors
/// `invalid_argument`.
pub fn client_id(client: &ClientId) -> Result<(), Error> {
    let text = client.as_str();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    // Its secret's file has this name.
    if (1..=64).contains(&text.len()) && !text.starts_with('.') && text.bytes().all(fits) {
        return Ok(());
    }
    Err(Error::argument(
        "client",
        "must be 1 to 64 letters, digits, dots, underscores or hyphens, and begin with no dot",
    ))
}

fn subject(client: &ClientId) -> Result<(), Error> {
    if client.as_str() == grants::ANY {
        return Ok(());
    }
    match client.as_str().split_once('~') {
        Some((claimed, mark)) if hex::decode(mark).is_some() => client_id(&claimed.into()),
        Some(_) | None => client_id(client),
    }
}

fn not_stored(error: anyhow::Error) -> Error {
    tracing::error!(error = format!("{error:#}"), "cannot store a decision");
    Error::internal("the decision holds now and could not be stored").hint("look at the log of the daemon")
}
