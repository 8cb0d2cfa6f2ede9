//! The button in frames of every kind. `cross` is another origin of the same site, `foreign` another site, whose frames have
//! a process of their own.

/// The page with a name.
pub(super) fn body(name: &str, origins: &[String; 2]) -> Option<String> {
    let [_, other] = origins;
    let abroad = other.replace("127.0.0.1", "localhost");
    let frame = |src: &str, style: &str| {
        format!(
            "<iframe id=frame title=frame src=\"{src}\" style=\"width: 300px; height: 150px; {style}\"></iframe>"
        )
    };
    Some(match name {
        "frame-same" => frame("/act/visible", ""),
        "frame-cross" => frame(&format!("{other}/act/visible"), ""),
        "frame-foreign" => frame(&format!("{abroad}/act/visible"), ""),
        "frame-bordered" => frame("/act/visible", "border: 17px solid; padding: 23px 5px 9px 31px"),
        "frame-foreign-bordered" => frame(
            &format!("{abroad}/act/visible"),
            "border: 17px solid; padding: 23px 5px 9px 31px; margin: 60px",
        ),
        "frame-scrolled" => format!(
            "<div style='height: 3000px'></div>{}<div style='height: 3000px'></div>",
            frame("/act/off-screen", "")
        ),
        "frame-foreign-scrolled" => format!(
            "<div style='height: 3000px'></div>{}<div style='height: 3000px'></div>",
            frame(&format!("{abroad}/act/off-screen"), "")
        ),
        "frame-scaled" => frame("/act/visible", "transform: scale(.5); border: 9px solid"),
        "frame-rotated" => frame("/act/visible", "transform: rotate(90deg); margin: 200px; border: 9px solid"),
        "frame-foreign-scaled" => frame(
            &format!("{abroad}/act/visible"),
            "transform: scale(.5) translate(30px, 40px); border: 9px solid",
        ),
        "frame-nested" => frame(&format!("{abroad}/act/frame-inner"), "height: 260px; border: 5px solid; padding: 7px"),
        // On the other site: a frame that leads back.
        "frame-inner" => {
            let [first, _] = origins;
            format!("<p>Between</p>{}", frame(&format!("{first}/act/visible"), "border: 3px solid; height: 100px"))
        }
        "frame-sandboxed" => "<iframe id=frame title=frame sandbox='allow-scripts' src='/act/visible'></iframe>".to_owned(),
        "frame-shadow" => format!(
            "<div id=host></div><script>document.getElementById('host').attachShadow({{mode: 'open'}}).innerHTML =
             '<div style=\"padding: 30px\"><iframe title=frame src=\"{other}/act/visible\"></iframe></div>'</script>"
        ),
        "frame-closed" => format!(
            "<div id=host></div><script>document.getElementById('host').attachShadow({{mode: 'closed'}}).innerHTML =
             '<div style=\"padding: 30px\"><iframe title=frame src=\"{abroad}/act/visible\"></iframe></div>'</script>"
        ),
        "frame-covered" => format!(
            "{}<div id=wrong style='position: fixed; inset: 0; background: rgba(0, 0, 0, .2)'></div>",
            frame("/act/visible", "")
        ),
        "frame-foreign-covered" => format!(
            "{}<div id=wrong style='position: fixed; inset: 0'></div>",
            frame(&format!("{abroad}/act/visible"), "")
        ),
        "frame-twins" => format!(
            "{}{}",
            frame("/act/visible?first", ""),
            frame(&format!("{other}/act/visible?second"), "")
        ),
        "frame-late" => format!(
            "<script>onload = () => setTimeout(() => {{ document.body.innerHTML = {:?}; }}, 0)</script>",
            frame(&format!("{other}/act/visible?ms=1500"), "")
        ),
        "frame-slow" => format!("<button id=go>Go</button>{}", frame(&format!("{other}/act/visible?ms=20000"), "")),
        _ => return None,
    })
}
