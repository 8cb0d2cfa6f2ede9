use super::*;

struct Fixture {
    folder: tempfile::TempDir,
    ours: Ours,
    file: PathBuf,
}

/// A home and a binary in a folder whose name needs quoting, and a manifest that fits.
fn fixture() -> Fixture {
    let folder = tempfile::tempdir().unwrap();
    let home = folder.path().join("it's Böse/home");
    fs::create_dir_all(&home).unwrap();
    let binary = home.parent().unwrap().join("drawbridge");
    fs::write(&binary, "#!/bin/sh\nprintf '%s|%s' \"$DRAWBRIDGE_HOME\" \"$*\"\n").unwrap();
    fs::set_permissions(&binary, Permissions::from_mode(0o700)).unwrap();
    let ours = Ours::new(&home, &binary);
    ours.write_script().unwrap();
    let file = file(&folder.path().join("data/NativeMessagingHosts"));
    write(&file, &ours).unwrap();
    Fixture { folder, ours, file }
}

#[test]
fn what_is_written_is_ready_and_starts_the_binary_with_its_home() {
    let Fixture { ours, file, folder } = fixture();
    assert_eq!(check(&file, &ours), State::Ready);
    let ran = std::process::Command::new(named(&file).unwrap())
        .args(["a b", "c"])
        .output()
        .unwrap();
    let home = folder.path().join("it's Böse/home");
    assert_eq!(
        String::from_utf8(ran.stdout).unwrap(),
        format!("{}|a b c", home.display())
    );
}

/// What is made of a manifest, and the id of that.
type Fault = (&'static str, fn(&mut Value));

#[test]
fn every_fault_has_a_name_of_its_own() {
    let manifest = |ours: &Ours| -> Value { serde_json::from_str(&ours.manifest().unwrap()).unwrap() };
    let cases: &[Fault] = &[
        ("host_bad_json", |manifest| *manifest = json!([])),
        ("host_bad_fields", |manifest| manifest["name"] = json!("x")),
        ("host_bad_fields", |manifest| manifest["type"] = json!("http")),
        ("host_wrong_origin", |manifest| {
            manifest["allowed_origins"] = json!(["chrome-extension://aaaa/"]);
        }),
        ("host_wrong_origin", |manifest| {
            manifest["allowed_origins"] = json!([origin(), "chrome-extension://aaaa/"]);
        }),
        ("host_wrong_origin", |manifest| {
            manifest["allowed_origins"] = json!(null)
        }),
        ("host_moved", |manifest| {
            manifest["path"] = json!("/nowhere/drawbridge")
        }),
        ("host_moved", |manifest| manifest["path"] = json!("drawbridge")),
        ("other_host", |manifest| manifest["path"] = json!("/bin/sh")),
    ];
    let Fixture {
        ours,
        file,
        folder: _kept,
    } = fixture();
    for (id, break_it) in cases {
        let mut broken = manifest(&ours);
        break_it(&mut broken);
        fs::write(&file, broken.to_string()).unwrap();
        assert_eq!(check(&file, &ours).id(), *id, "{broken}");
    }
    fs::write(&file, "{").unwrap();
    assert_eq!(check(&file, &ours), State::BadJson);
    fs::remove_file(&file).unwrap();
    assert_eq!(check(&file, &ours), State::Missing);
}

#[test]
fn what_the_manifest_leads_to_is_looked_at_too() {
    let Fixture {
        ours,
        file,
        folder: _kept,
    } = fixture();
    let mode = |path: &Path, mode: u32| fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    mode(&ours.binary, 0o600);
    assert_eq!(check(&file, &ours), State::NotExecutable(ours.binary.clone()));
    mode(&ours.binary, 0o722);
    assert_eq!(check(&file, &ours).id(), "host_unsafe");
    mode(&ours.binary, 0o700);
    mode(&file, 0o666);
    assert_eq!(check(&file, &ours).id(), "host_unsafe");
    mode(&file, 0o600);
    fs::write(&ours.host, "#!/bin/sh\nexec sh\n").unwrap();
    assert_eq!(check(&file, &ours).id(), "host_script_changed");
    ours.write_script().unwrap();
    fs::rename(&ours.binary, ours.binary.with_extension("away")).unwrap();
    assert_eq!(check(&file, &ours), State::Moved(ours.binary.clone()));
}

#[test]
fn the_folders_that_were_made_are_told() {
    let Fixture { folder, file, ours } = fixture();
    assert!(remove(&file).unwrap() && !remove(&file).unwrap());
    let other = folder.path().join("a/b/c.json");
    let made = write(&other, &ours).unwrap();
    assert_eq!(made, [folder.path().join("a"), folder.path().join("a/b")]);
    assert!(write(&other, &ours).unwrap().is_empty());
}
