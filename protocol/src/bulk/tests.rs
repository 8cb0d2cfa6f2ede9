use std::collections::VecDeque;

use proptest::prelude::*;

use super::*;

fn large(word: &str) -> String {
    format!("{word}{}", "x".repeat(BULK_FROM))
}

fn wrap(number: u64, json: &str) -> String {
    format!("{number}\n{json}")
}

#[test]
fn only_large_messages_take_the_socket_and_only_while_it_is_open() {
    let mut outbox = Outbox::default();
    assert_eq!(outbox.route(large("a"), None, None), Way::Native(large("a")));
    outbox.opened();
    assert_eq!(outbox.route("a".into(), None, None), Way::Native("a".into()));
    assert_eq!(
        outbox.route("x".repeat(BULK_FROM), None, None),
        Way::Native("x".repeat(BULK_FROM))
    );
    assert_eq!(
        outbox.route(large("b"), None, None),
        Way::Socket(wrap(1, &large("b")))
    );
    assert!(
        matches!(
            outbox.route("x".repeat(MESSAGE_LIMIT + 1), None, None),
            Way::Native(_)
        ),
        "to be refused there"
    );
}

#[test]
fn what_means_a_message_goes_behind_it() {
    let mut outbox = Outbox::default();
    outbox.opened();
    outbox.route(large("call 7"), Some(CallId(7)), None);
    assert_eq!(
        outbox.route("cancel 8".into(), None, Some(CallId(8))),
        Way::Native("cancel 8".into())
    );
    assert_eq!(
        outbox.route("cancel 7".into(), None, Some(CallId(7))),
        Way::Socket("2\ncancel 7".into())
    );
    outbox.taken(1).unwrap();
    assert_eq!(
        outbox.route("cancel 7".into(), None, Some(CallId(7))),
        Way::Native("cancel 7".into())
    );
}

#[test]
fn what_was_not_acknowledged_goes_out_again_once_and_in_order() {
    let mut outbox = Outbox::default();
    outbox.opened();
    for word in ["a", "b", "c"] {
        outbox.route(large(word), None, None);
    }
    outbox.taken(2).unwrap();
    assert_eq!(outbox.closed(wrap), [wrap(1, &large("a")), wrap(3, &large("c"))]);
    assert_eq!(outbox.closed(wrap), Vec::<String>::new());
    outbox.opened();
    assert_eq!(
        outbox.route(large("d"), None, None),
        Way::Native(large("d")),
        "the others come first"
    );
    outbox.taken(1).unwrap();
    outbox.taken(3).unwrap();
    assert_eq!(
        outbox.route(large("e"), None, None),
        Way::Socket(wrap(4, &large("e")))
    );
}

#[test]
fn acknowledgements_and_numbers_that_cannot_be_are_faults() {
    let mut outbox = Outbox::default();
    assert!(outbox.taken(0).is_err() && outbox.taken(1).is_err());
    let mut inbox = Inbox::default();
    assert!(inbox.is_new(2).is_err());
    assert!(inbox.is_new(1).unwrap());
    assert!(!inbox.is_new(1).unwrap() && !inbox.is_new(0).unwrap());
    assert!(inbox.is_new(3).is_err());
}

#[test]
fn a_socket_that_takes_nothing_is_found_out() {
    let mut outbox = Outbox::default();
    outbox.opened();
    assert!((0..10).all(|_| !outbox.is_stuck()), "nothing waits");
    outbox.route(large("a"), None, None);
    outbox.route(large("b"), None, None);
    assert_eq!(
        [outbox.is_stuck(), outbox.is_stuck(), outbox.is_stuck()],
        [false, false, true]
    );
    outbox.taken(1).unwrap();
    assert!(!outbox.is_stuck(), "it moves");
    outbox.closed(wrap);
    assert!((0..10).all(|_| !outbox.is_stuck()), "it is closed already");
}

#[test]
fn frames_that_are_none() {
    assert_eq!(unframed("12\n{\"a\":\n1}").unwrap(), (12, "{\"a\":\n1}"));
    for bad in [
        "",
        "\n",
        "1",
        "-1\n",
        "+1\n",
        " 1\n",
        "0x1\n",
        "99999999999999999999\n",
        "1 \n",
        "é\n",
    ] {
        assert!(unframed(bad).is_err(), "{bad:?}");
    }
}

/// One thing that can happen between two sides.
#[derive(Clone, Debug)]
enum Step {
    Send(bool),
    Cancel(u64),
    /// The other side takes what is next on a way.
    Socket,
    Native,
    Ack,
    Open,
    /// The socket dies; what was in it is lost, or still arrives late.
    Die(bool),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => any::<bool>().prop_map(Step::Send),
        1 => (0..20u64).prop_map(Step::Cancel),
        4 => Just(Step::Socket),
        4 => Just(Step::Native),
        4 => Just(Step::Ack),
        2 => Just(Step::Open),
        2 => any::<bool>().prop_map(Step::Die),
    ];
    prop::collection::vec(step, 1..80)
}

/// Two sides and what is between them.
#[derive(Default)]
struct World {
    outbox: Outbox,
    inbox: Inbox,
    socket: VecDeque<String>,
    /// Sockets that are dead for the sender; their bytes are still read.
    late: VecDeque<String>,
    native: VecDeque<String>,
    acks: VecDeque<u64>,
    got: Vec<String>,
    sent: Vec<String>,
}

impl World {
    fn put(&mut self, way: Way) {
        match way {
            Way::Native(json) => self.native.push_back(json),
            Way::Socket(frame) => self.socket.push_back(frame),
        }
    }

    fn numbered(&mut self, frame: &str) {
        let (number, json) = unframed(frame).unwrap();
        if self.inbox.is_new(number).unwrap() {
            self.got.push(json.to_owned());
        }
        self.acks.push_back(number);
    }

    fn step(&mut self, step: &Step, next: &mut u64) {
        match step {
            Step::Send(big) => {
                let json = if *big {
                    large(&format!("{{call {next} "))
                } else {
                    format!("{{call {next} ")
                };
                self.sent.push(json.clone());
                let way = self.outbox.route(json, Some(CallId(*next)), None);
                self.put(way);
                *next += 1;
            }
            Step::Cancel(id) if id < next => {
                let json = format!("{{cancel {id} {}", self.sent.len());
                self.sent.push(json.clone());
                let way = self.outbox.route(json, None, Some(CallId(*id)));
                self.put(way);
            }
            Step::Cancel(_) => {}
            Step::Socket => {
                if let Some(frame) = self.late.pop_front().or_else(|| self.socket.pop_front()) {
                    self.numbered(&frame);
                }
            }
            Step::Native => match self.native.pop_front() {
                Some(message) if message.starts_with('{') => self.got.push(message),
                Some(frame) => self.numbered(&frame),
                None => {}
            },
            Step::Ack => {
                if let Some(number) = self.acks.pop_front() {
                    self.outbox.taken(number).unwrap();
                }
            }
            Step::Open => self.outbox.opened(),
            Step::Die(lost) => {
                let died = std::mem::take(&mut self.socket);
                if !lost {
                    self.late.extend(died);
                }
                let again = self.outbox.closed(wrap);
                self.native.extend(again);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn nothing_is_lost_or_done_twice_whenever_the_socket_dies(steps in steps()) {
        let (mut world, mut next) = (World::default(), 0);
        for step in &steps {
            world.step(step, &mut next);
        }
        world.step(&Step::Die(true), &mut next);
        while !(world.native.is_empty() && world.late.is_empty()) {
            world.step(&Step::Socket, &mut next);
            world.step(&Step::Native, &mut next);
            world.step(&Step::Ack, &mut next);
        }
        let place = |json: &str| world.got.iter().position(|got| got == json);
        let (mut got, mut sent) = (world.got.clone(), world.sent.clone());
        got.sort();
        sent.sort();
        prop_assert_eq!(got.len(), sent.len());
        prop_assert!(got == sent, "something else arrived");
        for cancel in world.sent.iter().filter(|json| json.starts_with("{cancel")) {
            let id = cancel.split(' ').nth(1).unwrap();
            let call = world.sent.iter().find(|json| json.starts_with(&format!("{{call {id} "))).unwrap();
            prop_assert!(place(call) < place(cancel), "a cancellation overtook its call");
        }
    }
}
