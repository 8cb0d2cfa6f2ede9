use drawbridge_protocol::page::{PageFound, PageRead, TextFormat, TextScope};

use crate::sample::ask::ask;

fn markdown(html: &str) -> String {
    read(html, false)
}

fn read(html: &str, hidden: bool) -> String {
    let read = PageRead::Text {
        within: None,
        scope: TextScope::Body,
        format: TextFormat::Markdown,
        hidden,
        tail: false,
        log_match: None,
        log_max_matches: 0,
        max_chars: 100_000,
    };
    match ask(html, &read) {
        Ok(PageFound::Text { text, .. }) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn headings_paragraphs_rules_and_breaks() {
    assert_eq!(
        markdown(
            "<h1>Big <b>news</b></h1><p>One\n  two<br>three</p><hr><div role=heading aria-level=3>Small #</div>text<p></p>"
        ),
        "# Big **news**\n\nOne two\\\nthree\n\n---\n\n### Small \\#\n\ntext"
    );
}

#[test]
fn links_images_and_emphasis() {
    assert_eq!(
        markdown(
            "<p>See <a href='/a b(c)'>the <em> page </em></a>, <a href='javascript:x()'>not</a> this\
            <img src='/i.png' alt='A [cat]'><img src=x alt=''><a href=/x aria-label=Icon></a></p>"
        ),
        "See [the *page*](/a%20b%28c%29) , not this![A \\[cat\\]](/i.png)[Icon](/x)"
    );
    assert_eq!(
        markdown("<p><b>a<strong>b</strong></b><i></i> <s>c</s> <code>x`y</code> <code>`</code></p>"),
        "**ab** ~~c~~ ``x`y`` `` ` ``"
    );
    assert_eq!(
        markdown("<a href=/card><h3>Title</h3><p>Text</p></a><p>after</p>"),
        "### [Title](/card)\n\nText\n\nafter",
        "a link around blocks is told once"
    );
}

#[test]
fn lists_are_nested() {
    assert_eq!(
        markdown(
            "<p>Shop:</p><ul><li>milk<li><p>bread</p><p>brown</p><ol><li value=3>one<li>two</ol><li>eggs</ul><p>end"
        ),
        "Shop:\n\n- milk\n- bread\n\n  brown\n  3. one\n  4. two\n- eggs\n\nend"
    );
    assert_eq!(
        markdown("<blockquote><p>a</p><ul><li>b<blockquote>c</blockquote></ul></blockquote>"),
        "> a\n>\n> - b\n>\n>   > c"
    );
    assert_eq!(
        markdown("<div role=list><div role=listitem>a</div><div role=listitem>b</div></div>"),
        "- a\n- b"
    );
}

#[test]
fn code_is_as_it_is_written() {
    assert_eq!(
        markdown("<pre class='x language-rust'><code>fn a() {\n    *b* <b>c</b>\n}\n</code></pre>"),
        "```rust\nfn a() {\n    *b* c\n}\n```"
    );
    assert_eq!(markdown("<pre>````\nx</pre>"), "`````\n````\nx\n`````");
    assert_eq!(
        markdown("<ul><li>a<pre>b\n\nc</pre></ul>"),
        "- a\n\n  ```\n  b\n\n  c\n  ```"
    );
}

#[test]
fn tables_of_data_are_tables_and_others_are_not() {
    assert_eq!(
        markdown(
            "<table><caption>Prices</caption><tr><th>A|B<th>C</tr><tr><td rowspan=2><a href=/x>x</a><td>1</tr><tr><td>2<br>3</tr></table>"
        ),
        "Prices\n\n| A\\|B | C |\n| --- | --- |\n| [x](/x) | 1 |\n|  | 2 3 |"
    );
    assert_eq!(
        markdown("<table><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>"),
        "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"
    );
    assert_eq!(
        markdown(
            "<table><tr><td><h2>Left</h2>x<td><table><tr><td>1<td>2</tr><tr><td>3<td>4</tr></table></tr></table>"
        ),
        "## Left\n\nx\n\n|  |  |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |",
        "a table for looks is none"
    );
    assert_eq!(
        markdown("<table role=presentation><tr><td>a<td>b</tr><tr><td>c<td>d</tr></table>"),
        "a b\n\nc d"
    );
}

#[test]
fn what_a_page_says_makes_no_structure() {
    for (html, expected) in [
        ("<p># no heading</p>", "\\# no heading"),
        ("<p>- no item</p>", "\\- no item"),
        ("<p>12. no item</p>", "12\\. no item"),
        ("<p>&gt; no quote</p>", "\\> no quote"),
        ("<p>a<br>---</p>", "a\\\n\\---"),
        ("<p>a<br>===</p>", "a\\\n\\==="),
        ("<p>a | b<br>|--|--</p>", "a | b\\\n\\|--|--"),
        ("<p>[x](y) ![z](w)</p>", "\\[x\\](y) !\\[z\\](w)"),
        (
            "<p>*a* _b_ snake_case ~~c~~</p>",
            "\\*a\\* \\_b\\_ snake_case \\~\\~c\\~\\~",
        ),
        (
            "<p>&lt;script&gt; 1 &lt; 2 &amp;lt; a &amp; b</p>",
            "\\<script> 1 < 2 \\&lt; a & b",
        ),
        ("<p>```<br>x</p>", "\\`\\`\\`\\\nx"),
        ("<p>\\</p>", "\\\\"),
        (
            "<p><a href='/x'>a](http://evil) [b</a></p>",
            "[a\\](http://evil) \\[b](/x)",
        ),
        ("<p>\n\n   # \n</p><p>x", "\\#\n\nx"),
        ("<p>[hidden: x]</p>", "\\[hidden: x\\]"),
    ] {
        assert_eq!(markdown(html), expected, "{html}");
    }
}

#[test]
fn hidden_text_is_marked_on_request() {
    let html = "<p>a <span style='display:none'>b]</span> c</p><div hidden><h2>H</h2></div>";
    assert_eq!(read(html, false), "a c");
    assert_eq!(read(html, true), "a [hidden: b\\]] c\n\n## [hidden: H]");
}

#[test]
fn a_deep_page_costs_no_more_than_it_is_long() {
    let html = format!(
        "{}x{}",
        "<blockquote><ul><li>".repeat(100),
        "</ul></blockquote>".repeat(100)
    );
    assert!(markdown(&html).len() < 200);
}
