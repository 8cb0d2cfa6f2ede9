use std::path::Path;

use super::*;
use crate::daemon::testing::run;

async fn filled(path: &Path, calls: usize) -> Store {
    let store = Store::open(path).unwrap();
    for number in 0..calls {
        let row = AuditRow {
            client: format!("client-{number}"),
            decision: "allow".into(),
            ..AuditRow::default()
        };
        let (id, handed) = store.begin_audit(row.clone());
        handed.stored().await.unwrap();
        store.finish_audit(AuditRow {
            id,
            code: Some("ok".into()),
            ..row
        });
    }
    store
}

#[test]
fn whatever_is_changed_dropped_or_slipped_in_is_noticed() {
    run(async {
        let tampering = [
            (
                "UPDATE audit_log SET body = replace(body, 'client-1', 'client-9')",
                "row 3 is not",
            ),
            ("UPDATE audit_log SET kind = 'end' WHERE seq = 5", "row 5 is not"),
            ("DELETE FROM audit_log WHERE seq = 4", "row 4 is missing"),
            ("DELETE FROM audit_log WHERE seq <= 2", "row 1 is missing"),
            ("UPDATE audit_log SET hash = 'x' WHERE seq = 6", "row 6 is not"),
            (
                "INSERT INTO audit_log VALUES (7, 'begin', 9, '{}', 'x')",
                "row 7 is not",
            ),
            ("UPDATE audit_log SET seq = seq + 100", "row 1 is missing"),
        ];
        for (statement, problem) in tampering {
            let folder = tempfile::tempdir().unwrap();
            let path = folder.path().join("x.db");
            let store = filled(&path, 3).await;
            let before = store.verify_audit().await.unwrap();
            assert!(before.intact && before.rows == 6, "{before:?}");
            drop(store);
            let raw = Connection::open(&path).unwrap();
            raw.execute_batch("DROP TRIGGER audit_log_stays").unwrap();
            raw.execute_batch(statement).unwrap();
            drop(raw);
            let after = Store::open(&path).unwrap().verify_audit().await.unwrap();
            assert!(!after.intact, "{statement}");
            let found = after.problem.unwrap();
            assert!(found.starts_with(problem), "{statement}: {found}");
        }
    });
}

#[test]
fn a_cut_end_is_noticed_by_whoever_saw_it() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        let store = filled(&path, 3).await;
        let seen = store.audit_head().await.unwrap();
        assert!(store.audit_covers(seen.clone()).await.unwrap());
        drop(store);
        let raw = Connection::open(&path).unwrap();
        raw.execute_batch("DELETE FROM audit_log WHERE seq > 4").unwrap();
        drop(raw);
        let store = Store::open(&path).unwrap();
        assert!(
            store.verify_audit().await.unwrap().intact,
            "the rest hangs together"
        );
        assert!(!store.audit_covers(seen).await.unwrap());
    });
}

#[test]
fn a_deletion_leaves_its_mark_and_the_chain_goes_on() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let store = filled(&folder.path().join("x.db"), 2).await;
        let seen = store.audit_head().await.unwrap();
        assert_eq!(store.delete_audit(0).await.unwrap(), 4);
        assert!(store.audit(10).await.unwrap().is_empty());
        drop(store);
        let store = Store::open(&folder.path().join("x.db")).unwrap();
        let (_, handed) = store.begin_audit(AuditRow::default());
        handed.stored().await.unwrap();
        let checked = store.verify_audit().await.unwrap();
        assert!(
            checked.intact && checked.rows == 2 && checked.head.seq == 6,
            "{checked:?}"
        );
        assert!(store.audit_covers(seen).await.unwrap());
        assert_eq!(
            store.audit(10).await.unwrap()[0].id,
            3,
            "numbers are not used again"
        );
    });
}

#[test]
fn rows_cannot_be_changed_by_accident() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("x.db");
        filled(&path, 1).await.settle().await.unwrap();
        let raw = Connection::open(&path).unwrap();
        assert!(raw.execute("UPDATE audit_log SET body = '{}'", []).is_err());
    });
}
