use drawbridge_protocol::ids::TargetId;
use drawbridge_protocol::tools::session::Placement;
use tokio::time::Instant;

use super::sessions::{Caller, Plan};
use super::testing::{Stage, run};
use super::*;

/// Seconds until a daemon in this state ends by itself; `None` when it stays.
async fn ends_after(hub: &Hub) -> Option<u64> {
    let since = Instant::now();
    let ended = timeout(IDLE_LIMIT * 100, idle(hub)).await;
    ended.is_ok().then(|| since.elapsed().as_secs())
}

#[test]
fn a_daemon_that_nobody_needs_ends_after_its_idle_time() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        tokio::time::pause();
        assert_eq!(ends_after(&stage.hub).await, Some(IDLE_LIMIT.as_secs()));
    });
}

#[test]
fn whoever_is_connected_keeps_it_and_who_leaves_gives_it_the_whole_time_again() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        tokio::time::pause();
        let (first, second) = (stage.hub.presence.enter(), stage.hub.presence.enter());
        assert_eq!(ends_after(&stage.hub).await, None);
        drop(first);
        assert_eq!(ends_after(&stage.hub).await, None);
        drop(second);
        assert_eq!(ends_after(&stage.hub).await, Some(IDLE_LIMIT.as_secs()));

        let hub = Rc::clone(&stage.hub);
        tokio::task::spawn_local(async move {
            tokio::time::sleep(IDLE_LIMIT / 2).await;
            drop(hub.presence.enter());
        });
        assert_eq!(ends_after(&stage.hub).await, Some(IDLE_LIMIT.as_secs() * 3 / 2));
    });
}

#[test]
fn a_session_that_outlasts_its_client_keeps_it() {
    run(async {
        let stage = Stage::new(Policy::Sandbox).await;
        let caller = Caller {
            client: "c".into(),
            connection: 1,
        };
        let plan = Plan {
            target: TargetId::from("one"),
            label: None,
            placement: Placement::Group,
            lease: Some(IDLE_LIMIT * 1_000),
        };
        let session = stage.hub.sessions.begin(&caller, plan).await.unwrap();
        tokio::time::pause();
        assert_eq!(ends_after(&stage.hub).await, None);
        tokio::time::resume();
        stage
            .hub
            .end_session(&session, Instant::now() + IDLE_LIMIT)
            .await
            .unwrap();
        tokio::time::pause();
        assert_eq!(ends_after(&stage.hub).await, Some(IDLE_LIMIT.as_secs()));
    });
}
