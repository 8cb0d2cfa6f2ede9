use drawbridge_protocol::local::{Decision, Grant};
use drawbridge_protocol::tools::session::Placement;

use super::*;

fn grant(decision: Decision) -> Grant {
    Grant {
        subject: "cli".into(),
        action: "browser.read".into(),
        site: "*".into(),
        decision,
    }
}

#[tokio::test]
async fn what_is_written_is_there_after_a_reopen() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawbridge.db");
    let session = SessionRow {
        id: "s-1".into(),
        client: "cli".into(),
        target: "one".into(),
        label: Some("work".into()),
        placement: Placement::Window,
        lease_ms: Some(1_800_000),
        last_call: 17,
        live: true,
    };
    let client = ClientRow {
        client: "cli".into(),
        name: "Shell".into(),
        admitted: true,
        secret_hash: Some("ab".into()),
    };
    let target = TargetKept {
        id: "one".into(),
        name: "Work".into(),
        key: "04".into(),
        paired: true,
    };
    {
        let store = Store::open(&path).unwrap();
        store.put_client(client.clone()).await.unwrap();
        store.put_grants(vec![grant(Decision::Off)]).await.unwrap();
        store.put_grants(vec![grant(Decision::Allow)]).await.unwrap();
        store.put_target(target.clone()).await.unwrap();
        store.put_session(session.clone()).await.unwrap();
        store.put_setting("recipe.window", "never".into()).await.unwrap();
        let (id, handed) = store.begin_audit(AuditRow {
            tool: "browser_status".into(),
            ..AuditRow::default()
        });
        handed.stored().await.unwrap();
        let done = AuditRow {
            id,
            code: Some("ok".into()),
            ms: Some(3),
            ..AuditRow::default()
        };
        store.finish_audit(done);
        // Whatever is asked later is answered later.
        store.settle().await.unwrap();
    }
    let store = Store::open(&path).unwrap();
    assert_eq!(store.clients().await.unwrap(), [client]);
    assert_eq!(store.grants().await.unwrap(), [grant(Decision::Allow)]);
    assert_eq!(store.targets().await.unwrap(), [target]);
    assert_eq!(store.sessions().await.unwrap(), [session]);
    assert_eq!(
        store.setting("recipe.window").await.unwrap().as_deref(),
        Some("never")
    );
    let rows = store.audit(10).await.unwrap();
    assert_eq!((rows[0].code.as_deref(), rows[0].ms), (Some("ok"), Some(3)));
    assert!(
        rows[0].at.starts_with("20") && rows[0].at.ends_with('Z'),
        "{}",
        rows[0].at
    );
}

#[test]
fn a_database_of_a_newer_version_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawbridge.db");
    drop(Store::open(&path).unwrap());
    Connection::open(&path)
        .unwrap()
        .pragma_update(None, "user_version", 99)
        .unwrap();
    let error = format!("{:#}", Store::open(&path).unwrap_err());
    assert!(
        error.contains("newer version") && error.contains("update the bridge"),
        "{error}"
    );
}

#[test]
fn a_file_that_is_no_database_is_an_error_with_its_path() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("drawbridge.db");
    std::fs::write(
        &path,
        "no database at all, and long enough to be sure of it".repeat(100),
    )
    .unwrap();
    let error = format!("{:#}", Store::open(&path).unwrap_err());
    assert!(error.contains(&path.display().to_string()), "{error}");
}
