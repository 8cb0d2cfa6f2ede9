//! What the pointer and the keyboard do without a press.

/// The page with a name.
pub(super) fn body(name: &str) -> Option<&'static str> {
    Some(match name {
        "menu" => {
            "<style>ul { display: none } nav:hover ul { display: block }</style><nav id=nav style='width: 200px'><span id=menu>Menu</span>
             <ul><li><button id=go>Item</button></li></ul></nav>"
        }
        "places" => {
            "<button id=near>Near</button><div style='height: 4000px'></div><button id=far>Far</button>
             <div style='height: 0; overflow: hidden'><button id=cut>Cut</button></div><button id=unseen style='visibility: hidden'>Unseen</button>
             <div id=box style='height: 100px; overflow: auto'><div style='height: 800px'></div><button id=inside>Inside</button></div>
             <div style='height: 4000px'></div>"
        }
        "keys" => {
            "<label>Field <input id=field></label><output id=seen></output>"
        }
        "wheel" => {
            "<div id=box style='height: 200px; overflow: auto'><div style='height: 3000px'>Tall</div></div><div style='height: 5000px'></div>"
        }
        _ => return None,
    })
}
