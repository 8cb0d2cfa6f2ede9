//! One element in one line: as the outline shows it, and what has no name called by its text.

use drawbridge_protocol::outline::OutlineNode;

use crate::outline::line;
use crate::pages::Refs;
use crate::semantics::{Role, Semantics};
use crate::text;

/// Characters of a text that stands for a name.
const TEXT: usize = 200;

/// The element's line, with a ref.
pub(crate) fn node(semantics: &Semantics<'_, '_>, refs: &mut Refs, index: usize) -> OutlineNode {
    let mut node = line::alone(semantics, refs, index);
    // What a field or frame holds is not what it is called.
    let holds = matches!(
        semantics.role_of(index),
        Role::Combobox | Role::Listbox | Role::Textbox | Role::Searchbox | Role::SpinButton | Role::Slider
    );
    // The name of a cell is what stands in it, and that is told as it can be seen.
    let is_content = matches!(
        semantics.role_of(index),
        Role::Cell | Role::GridCell | Role::ColumnHeader | Role::RowHeader | Role::Row
    ) && !["aria-label", "aria-labelledby", "title"]
        .iter()
        .any(|name| semantics.page().elements[index].has(name));
    if is_content && semantics.page().elements[index].is_visible() {
        node.name.clear();
    }
    if node.name.is_empty() && !holds && node.role != "frame" {
        node.name = text::line(semantics.page(), index, TEXT);
    }
    let says_nothing = semantics.role_of(index).is_transparent() && !semantics.is_control(index);
    if says_nothing && semantics.page().elements[index].has_own_text() && node.role == "generic" {
        "text".clone_into(&mut node.role);
    }
    node
}
