//! `cargo xtask test`: everything.

use anyhow::Result;
use drawbridge_tests::project::Bridge;

use crate::run::{cargo, run, say};
use crate::{build, docs, packages, sandbox};

/// Native tests of each crate, then the end-to-end tests.
pub(crate) fn all(arguments: &[String]) -> Result<()> {
    sandbox::prepare()?;
    packages::web()?;
    packages::wob()?;
    build::bridge(Bridge::Released)?;
    docs::run(true)?;
    say("testing the crates natively");
    run(&mut cargo([
        "test",
        "--quiet",
        "--package",
        "drawbridge-protocol",
        "--features",
        "schema,address",
    ]))?;
    run(&mut cargo([
        "test",
        "--quiet",
        "--package",
        "drawbridge",
        "--features",
        "sandbox",
    ]))?;
    run(&mut cargo([
        "test",
        "--quiet",
        "--package",
        "drawbridge-reader",
        "--package",
        "drawbridge-background",
    ]))?;
    run(&mut cargo(["test", "--quiet", "--package", "xtask"]))?;
    say("testing end to end");
    run(cargo(["test", "--package", "drawbridge-tests", "--"]).args(arguments))
}
