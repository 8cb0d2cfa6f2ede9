use std::time::Duration;

use super::*;
use crate::daemon::testing::run;

fn at(folder: &tempfile::TempDir) -> Store {
    Store::open(&folder.path().join("drawbridge.db")).unwrap()
}

async fn turn(refs: &Refs, tab: &str) -> Turn {
    let deadline = Instant::now() + Duration::from_secs(5);
    refs.turn(&"t".into(), &tab.into(), deadline, &CancellationToken::new())
        .await
        .unwrap()
}

#[test]
fn numbers_go_on_and_are_never_given_again_after_a_restart() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let refs = Refs::load(at(&folder)).await.unwrap();
        assert_eq!(turn(&refs, "a").await.next(), 1);
        turn(&refs, "a").await.used(40).await.unwrap();
        assert_eq!(turn(&refs, "a").await.next(), 40);
        // A page that knows less takes nothing back.
        turn(&refs, "a").await.used(7).await.unwrap();
        assert_eq!(turn(&refs, "a").await.next(), 40);
        assert_eq!(turn(&refs, "b").await.next(), 1);
        for _ in 0..3 {
            let refs = Refs::load(at(&folder)).await.unwrap();
            let mut turn = turn(&refs, "a").await;
            let next = turn.next();
            assert!(next > 40, "{next}");
            turn.used(next + 3).await.unwrap();
        }
        let refs = Refs::load(at(&folder)).await.unwrap();
        assert!(turn(&refs, "a").await.next() > 40 + 3 * BLOCK);
        refs.forget(&"t".into(), &"a".into());
        refs.store.settle().await.unwrap();
        let refs = Refs::load(at(&folder)).await.unwrap();
        assert_eq!(turn(&refs, "a").await.next(), 1);
    });
}

#[test]
fn reads_of_a_tab_take_turns_and_none_waits_for_ever() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let refs = Refs::load(at(&folder)).await.unwrap();
        let held = turn(&refs, "a").await;
        let soon = Instant::now() + Duration::from_millis(20);
        let key = (&"t".into(), &"a".into());
        let waited = refs.turn(key.0, key.1, soon, &CancellationToken::new()).await;
        assert_eq!(waited.unwrap_err().code, Code::Timeout);
        let stopped = CancellationToken::new();
        stopped.cancel();
        let waited = refs
            .turn(key.0, key.1, soon + Duration::from_secs(9), &stopped)
            .await;
        assert_eq!(waited.unwrap_err().code, Code::Cancelled);
        drop(turn(&refs, "b").await);
        drop(held);
        drop(turn(&refs, "a").await);
    });
}

#[test]
fn a_tab_that_got_another_id_goes_on_where_it_was() {
    run(async {
        let folder = tempfile::tempdir().unwrap();
        let refs = Refs::load(at(&folder)).await.unwrap();
        turn(&refs, "t7.first").await.used(40).await.unwrap();
        assert_eq!(turn(&refs, "t7.second").await.next(), 40);
        turn(&refs, "t7.second").await.used(50).await.unwrap();
        refs.forget(&"t".into(), &"t7.first".into());
        refs.forget(&"t".into(), &"t7.second".into());
        assert_eq!(turn(&refs, "t7.third").await.next(), 50);
        assert_eq!(turn(&refs, "t8.third").await.next(), 1);
    });
}
