//! Port replies as the DOM port would write them, for tests.

use drawbridge_protocol::reader::flags;

/// A visible block.
pub(crate) const BLOCK: i32 = flags::RENDERED | flags::VISIBLE | flags::BLOCK;
/// Visible inside a line.
pub(crate) const INLINE: i32 = flags::RENDERED | flags::VISIBLE;
/// `display: none`.
pub(crate) const GONE: i32 = 0;

/// Columns that grow.
#[derive(Clone, Debug)]
pub(crate) struct Sample {
    pub(crate) ints: Vec<i32>,
    pub(crate) texts: String,
}

impl Sample {
    /// The header of a complete page.
    pub(crate) fn new() -> Self {
        let mut sample = Self {
            ints: vec![1, 77, 2, 0],
            texts: String::new(),
        };
        for text in ["https://shop.example/list", "https://shop.example", "Shop"] {
            sample.text(Some(text));
        }
        sample.ints.extend([0, 0]);
        sample
    }

    pub(crate) fn text(&mut self, text: Option<&str>) {
        self.ints
            .push(text.map_or(-1, |text| text.encode_utf16().count() as i32));
        self.texts.push_str(text.unwrap_or_default());
    }

    /// One set: matches in all, and per described match its parent, flags and texts.
    pub(crate) fn set(mut self, total: i32, matches: &[(i32, i32, &[Option<&str>])]) -> Self {
        self.ints.extend([total, matches.len() as i32]);
        for (parent, flags, texts) in matches {
            self.ints.extend([*parent, *flags, 100, 20]);
            texts.iter().for_each(|text| self.text(*text));
        }
        self
    }

    /// A collection of one scope: per element its parent, flags, tag, own text (`|` stands for a child), attributes.
    pub(crate) fn collection(mut self, left_out: i32, elements: &[Row<'_>]) -> Self {
        self.ints.extend([1, elements.len() as i32, left_out]);
        for (index, (parent, flags, tag, own, attributes)) in elements.iter().enumerate() {
            let before = elements[..index]
                .iter()
                .filter(|other| other.0 == *parent && other.2 == *tag)
                .count();
            self.ints
                .extend([*parent, *flags, 100, 20, before as i32, attributes.len() as i32]);
            self.text(Some(tag));
            self.text(Some(&own.replace('|', "\u{1}")));
            for (name, value) in *attributes {
                self.text(Some(name));
                self.text(Some(value));
            }
        }
        self
    }

    pub(crate) fn build(&self) -> String {
        let ints: Vec<String> = self.ints.iter().map(i32::to_string).collect();
        format!("{};{}\n{}", ints.len(), ints.join(","), self.texts)
    }
}

/// Parent, flags, tag, own text, attributes.
pub(crate) type Row<'s> = (i32, i32, &'s str, &'s str, &'s [(&'s str, &'s str)]);
