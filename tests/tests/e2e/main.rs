//! End-to-end tests: a real bridge, a real Chromium, a local site. `cargo xtask test` builds what they need.

mod harness;
mod recovery;
mod saved;
mod smoke;
mod states;
