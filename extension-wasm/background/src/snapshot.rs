//! The browser's own accessibility tree, by its debugger: attached for one call, unless somebody holds it anyway.

mod allowed;
mod names;
mod tree;

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use std::time::Duration;

use drawbridge_protocol::ids::DocumentId;
use drawbridge_protocol::link::{BrowserReply, Place};
use drawbridge_protocol::outline::Omitted;
use drawbridge_protocol::{Code, Error};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::calls::Context;
use crate::chrome::{self, Failure};
use crate::debugger::{self, Hold};
use crate::read::{self, Shown};
use crate::state::App;
use crate::time::now;
use crate::{tabs, unreadable};
use allowed::Allowed;
use names::Names;
use tree::{FrameTree, Node};

/// What each command that undoes it may take.
const COMMAND: Duration = Duration::from_secs(2);

/// What the refs of each tab's latest snapshot mean, and the frames in other processes that the debugger told of.
#[derive(Default)]
pub(crate) struct Snapshots {
    tabs: RefCell<HashMap<i64, Names>>,
    attached: RefCell<HashMap<i64, Vec<Attached>>>,
}

/// A frame in a process of its own.
#[derive(Clone, Debug, PartialEq)]
struct Attached {
    session: String,
    /// The debugger's id of the frame.
    frame: String,
}

impl Snapshots {
    /// A tab was closed.
    pub(crate) fn gone(&self, tab: i64) {
        self.tabs.borrow_mut().remove(&tab);
        self.attached.borrow_mut().remove(&tab);
    }
}

/// Notes a frame in another process, while a snapshot of its tab is taken.
pub(crate) fn debugger_event(app: &App, tab: i64, method: &str, parameters: &Value) {
    if method != "Target.attachedToTarget" || parameters["targetInfo"]["type"] != "iframe" {
        return;
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    if let Some(attached) = app.snapshots.attached.borrow_mut().get_mut(&tab) {
        attached.push(Attached {
            session: text(&parameters["sessionId"]),
            frame: text(&parameters["targetInfo"]["targetId"]),
        });
    }
}

/// Takes a snapshot of a session's tab.
///
/// # Errors
/// `stale_ref` for another document, `page_unreadable`, `session_busy` while somebody else debugs the tab, and those of
/// the call.
pub(crate) async fn take(
    app: &Rc<App>,
    context: &Context,
    place: &Place,
    allowed: Option<&[DocumentId]>,
    depth: Option<u32>,
) -> Result<BrowserReply, Error> {
    let (session, id, document) = read::in_session(place)?;
    let tab = tabs::owned(app, session, id).await?;
    let shown = context.run(read::in_tab(tab, id, document)).await?;
    let hushed = context
        .run(read::has_filled_secrets(app, context, tab, &shown, allowed))
        .await?;
    if app.snapshots.attached.borrow().contains_key(&tab) {
        return Err(Error::new(
            Code::SessionBusy,
            "another snapshot of this tab is being taken",
        ));
    }
    let began = now();
    let hold = context.run(debugger::hold(app, tab)).await?;
    app.snapshots.attached.borrow_mut().insert(tab, Vec::new());
    let taken = context
        .run(async {
            let taking = Taking {
                app,
                tab,
                limit: context.left().mul_f64(0.9),
            };
            taking.trees(&shown, allowed).await
        })
        .await;
    app.snapshots.attached.borrow_mut().remove(&tab);
    // Whatever came of it: nothing stays on that was not before, and no bar.
    undo(&hold).await;
    hold.end().await;
    context.hop("debugger", began);
    let taken = taken?;
    let still = context.run(read::in_tab(tab, id, document)).await?;
    let title = chrome::tab(tab).await.map(|tab| tab.title).unwrap_or_default();
    let (snapshot, nodes) = {
        let mut tabs = app.snapshots.tabs.borrow_mut();
        let names = tabs.entry(tab).or_default();
        let snapshot = names.begin(&shown.document);
        (snapshot, tree::outline(&taken, depth, hushed, names))
    };
    let missing = taken.iter().filter(|tree| tree.missing.is_some()).count();
    Ok(BrowserReply::Snapshot {
        document: shown.document.as_str().into(),
        url: still.url,
        title,
        snapshot,
        nodes,
        omitted: Omitted {
            frames: u32::try_from(missing).unwrap_or(u32::MAX),
            ..Omitted::default()
        },
    })
}

/// The debugger is attached to this tab.
struct Taking<'t> {
    app: &'t App,
    tab: i64,
    limit: Duration,
}

/// A frame as the debugger lists it.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Listed {
    id: String,
    /// The frame around it, also where that is in another process.
    parent_id: String,
    url: String,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Branch {
    frame: Listed,
    child_frames: Vec<Branch>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Frames {
    frame_tree: Branch,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Nodes {
    nodes: Vec<Node>,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Owner {
    backend_node_id: i64,
}

impl Taking<'_> {
    /// The trees of all frames, each after the one it is in.
    async fn trees(&self, shown: &Shown, allowed: Option<&[DocumentId]>) -> Result<Vec<FrameTree>, Error> {
        let may = Allowed::of(&shown.document, &shown.frames, allowed);
        let auto = json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true});
        let failed = |failure: Failure| self.failed(&shown.url, &failure);
        self.ask::<Value>(None, "Target.setAutoAttach", &auto)
            .await
            .map_err(failed)?;
        self.ask::<Value>(None, "DOM.enable", &json!({}))
            .await
            .map_err(failed)?;
        let mut trees: Vec<FrameTree> = Vec::new();
        // Per tree the debugger's id of its frame, and the documents that it may be of.
        let mut held: Vec<(String, Vec<String>)> = Vec::new();
        // A root's session, its frame, and the tree its element is in.
        let mut todo: Vec<(Option<String>, Option<String>, Option<usize>)> = vec![(None, None, None)];
        let mut known: HashSet<String> = HashSet::new();
        while let Some((session, root, parent)) = todo.pop() {
            let listed: Frames = match self
                .ask(session.as_deref(), "Page.getFrameTree", &json!({}))
                .await
            {
                Ok(listed) => listed,
                Err(failure) if root.is_none() => return Err(failed(failure)),
                Err(_) => continue,
            };
            // Sessions are told by the one around them, which may have several frames.
            let around = &listed.frame_tree.frame.parent_id;
            let parent = match parent {
                None => None,
                Some(_) => match held.iter().position(|(frame, _)| frame == around) {
                    Some(parent) if trees[parent].missing.is_none() => Some(parent),
                    // Part of what is not read.
                    Some(_) | None => continue,
                },
            };
            let mut branches = vec![(listed.frame_tree, parent)];
            while let Some((branch, parent)) = branches.pop() {
                let owner = match parent {
                    None => None,
                    // A frame in another process is owned by an element of the session around it.
                    Some(parent) => {
                        let around = if Some(&branch.frame.id) == root.as_ref() {
                            trees[parent].session.clone()
                        } else {
                            session.clone()
                        };
                        let frame = json!({"frameId": branch.frame.id});
                        let owner: Result<Owner, Failure> =
                            self.ask(around.as_deref(), "DOM.getFrameOwner", &frame).await;
                        owner.ok().map(|owner| owner.backend_node_id)
                    }
                };
                let documents = match parent {
                    None => Ok(may.main()),
                    Some(parent) => may.inside(&held[parent].1, &branch.frame.url),
                };
                let missing = documents.as_ref().err().copied();
                let frame = json!({"frameId": branch.frame.id});
                let nodes: Nodes = match missing {
                    Some(_) => Nodes::default(),
                    None => match self
                        .ask(session.as_deref(), "Accessibility.getFullAXTree", &frame)
                        .await
                    {
                        Ok(nodes) => nodes,
                        Err(failure) if parent.is_none() => return Err(failed(failure)),
                        Err(_) => Nodes::default(),
                    },
                };
                let index = trees.len();
                let is_empty = nodes.nodes.is_empty();
                held.push((branch.frame.id, documents.unwrap_or_default()));
                trees.push(FrameTree {
                    session: session.clone(),
                    home: root.clone(),
                    parent,
                    owner,
                    url: branch.frame.url,
                    missing: missing.or(is_empty.then_some("it did not answer")),
                    nodes: nodes.nodes,
                });
                if missing.is_none() {
                    branches.extend(branch.child_frames.into_iter().map(|child| (child, Some(index))));
                    todo.extend(self.below(&mut known, index, session.as_deref()).await);
                }
            }
        }
        Ok(trees)
    }

    /// Frames in other processes that were told of since the last look, and whose elements are in the tree at `index`.
    async fn below(
        &self,
        known: &mut HashSet<String>,
        index: usize,
        session: Option<&str>,
    ) -> Vec<(Option<String>, Option<String>, Option<usize>)> {
        let told: Vec<Attached> = {
            let attached = self.app.snapshots.attached.borrow();
            attached.get(&self.tab).cloned().unwrap_or_default()
        };
        let mut found = Vec::new();
        for one in told {
            if known.contains(&one.session) {
                continue;
            }
            let frame = json!({"frameId": one.frame});
            let owner: Result<Owner, Failure> = self.ask(session, "DOM.getFrameOwner", &frame).await;
            if owner.is_err() {
                continue;
            }
            known.insert(one.session.clone());
            let auto = json!({"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true});
            for (method, parameters) in [("Target.setAutoAttach", &auto), ("DOM.enable", &json!({}))] {
                if let Err(failure) = self.ask::<Value>(Some(&one.session), method, parameters).await {
                    crate::log(&format!("{method} in a frame: {failure}"));
                }
            }
            found.push((Some(one.session), Some(one.frame), Some(index)));
        }
        found
    }

    async fn ask<T: serde::de::DeserializeOwned>(
        &self,
        session: Option<&str>,
        method: &str,
        parameters: &Value,
    ) -> Result<T, Failure> {
        chrome::ask_debugger(self.tab, session, method, parameters, self.limit).await
    }

    fn failed(&self, url: &str, failure: &Failure) -> Error {
        match failure {
            Failure::Said(words) if words.contains("Cannot access") => unreadable::page(url, words),
            failure => unreadable::failed("reading the browser's tree", failure),
        }
    }
}

/// Turns off what a snapshot turned on, for whoever else holds the debugger.
async fn undo(hold: &Hold) {
    let off = json!({"autoAttach": false, "waitForDebuggerOnStart": false, "flatten": true});
    for (method, parameters) in [("Target.setAutoAttach", &off), ("DOM.disable", &json!({}))] {
        if let Err(failure) = hold.send(method, parameters, COMMAND).await {
            crate::log(&format!("{method} after a snapshot: {failure}"));
        }
    }
}
