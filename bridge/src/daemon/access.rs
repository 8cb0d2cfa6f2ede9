//! Which clients are admitted and what they may do: the stored decisions of a person, and the rules of the build.

use std::cell::RefCell;
use std::collections::BTreeMap;

use anyhow::Result;
use drawbridge_protocol::error::{Code, Error};
use drawbridge_protocol::ids::ClientId;
use drawbridge_protocol::local::{ClientHello, Decision, Grant};
use drawbridge_protocol::tools::session::TargetState;

use super::calls::Calls;
use super::grants::{self, Site};
use super::store::{ClientRow, Store};
use super::text::one_line;
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

    /// Whether profiles take calls as soon as they connect.
    pub fn target_state(self) -> TargetState {
        match self {
            Self::Released => TargetState::Unpaired,
            Self::Sandbox | Self::Strict => TargetState::Connected,
        }
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

    /// Remembers that a client asked, so that a person can be shown it.
    pub async fn seen(&self, hello: &ClientHello) {
        let name = one_line(&hello.name, 64);
        let row = {
            let mut clients = self.clients.borrow_mut();
            let strangers = clients.values().filter(|row| !row.admitted).count();
            match clients.get_mut(&hello.client) {
                Some(row) if row.name == name => return,
                Some(row) => {
                    row.name = name;
                    row.clone()
                }
                None if strangers >= STRANGERS_KEPT => return,
                None => {
                    let row = ClientRow {
                        client: hello.client.clone(),
                        name,
                        admitted: false,
                    };
                    clients.insert(row.client.clone(), row.clone());
                    row
                }
            }
        };
        if let Err(error) = self.store.put_client(row).await {
            tracing::error!(%error, "cannot remember a client");
        }
    }

    /// All clients that asked, by id.
    pub fn clients(&self) -> Vec<ClientRow> {
        let admitted = |mut row: ClientRow| {
            row.admitted = self.admitted(&row.client);
            row
        };
        self.clients.borrow().values().cloned().map(admitted).collect()
    }

    /// All grants.
    pub fn grants(&self) -> Vec<Grant> {
        self.grants.borrow().clone()
    }

    /// Admits a client; `yes` stands for the person.
    ///
    /// # Errors
    /// `needs_approval` without a person, `internal` when it cannot be stored.
    pub async fn admit(&self, client: ClientId, yes: bool) -> Result<(), Error> {
        client_id(&client)?;
        self.approved(yes)?;
        let row = {
            let clients = self.clients.borrow();
            let name = clients
                .get(&client)
                .map_or_else(String::new, |row| row.name.clone());
            ClientRow {
                client: client.clone(),
                name,
                admitted: true,
            }
        };
        self.store.put_client(row.clone()).await.map_err(not_stored)?;
        self.clients.borrow_mut().insert(client, row);
        Ok(())
    }

    /// Writes one grant. What narrows needs nobody; what may widen needs a person, whom `yes` stands for.
    ///
    /// # Errors
    /// `invalid_argument`, `needs_approval` without a person, `internal` when it cannot be stored.
    pub async fn set(&self, mut grant: Grant, yes: bool) -> Result<Grant, Error> {
        subject(&grant.subject)?;
        grants::action(&grant.action)?;
        grant.site = grants::site(&grant.site)?;
        match grant.decision {
            Decision::Off => {}
            Decision::Ask | Decision::Allow => self.approved(yes)?,
        }
        let same = |row: &Grant| {
            row.subject == grant.subject && row.action == grant.action && row.site == grant.site
        };
        let mut all: Vec<Grant> = self.grants().into_iter().filter(|row| !same(row)).collect();
        all.push(grant.clone());
        self.replace(all).await?;
        Ok(grant)
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
        self.calls
            .redecide(|client, action, site| self.decide(client, action, site));
        self.store.put_grants(all).await.map_err(not_stored)
    }

    fn approved(&self, yes: bool) -> Result<(), Error> {
        if yes && self.policy.is_sandbox() {
            return Ok(());
        }
        let hint = match self.policy {
            Policy::Released => "a person does it on the approval page in the browser",
            Policy::Sandbox | Policy::Strict => "in a sandbox, `--yes` stands for that person",
        };
        Err(Error::new(Code::NeedsApproval, "only a person widens access").hint(hint))
    }
}

/// Checks that a client id is one: 1 to 64 letters, digits, `.`, `_` or `-`.
///
/// # Errors
/// `invalid_argument`.
pub fn client_id(client: &ClientId) -> Result<(), Error> {
    let text = client.as_str();
    let fits = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-');
    if (1..=64).contains(&text.len()) && text.bytes().all(fits) {
        return Ok(());
    }
    Err(Error::argument(
        "client",
        "must be 1 to 64 letters, digits, dots, underscores or hyphens",
    ))
}

fn subject(client: &ClientId) -> Result<(), Error> {
    if client.as_str() == grants::ANY {
        Ok(())
    } else {
        client_id(client)
    }
}

fn not_stored(error: anyhow::Error) -> Error {
    tracing::error!(error = format!("{error:#}"), "cannot store a decision");
    Error::internal("the decision holds now and could not be stored").hint("look at the log of the daemon")
}
