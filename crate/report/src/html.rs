//! Text as HTML: all text of a trace is escaped here.

/// A document under construction.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Adds trusted markup.
    pub(super) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Adds text, escaped.
    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // Characters that change the direction of the text, or are not text.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push(' '),
                control if control.is_control() && control != '\n' => self.0.push(' '),
                other => self.0.push(other),
            }
        }
    }

    /// Begins an element of a class, if one is given.
    pub(super) fn open(&mut self, tag: &str, class: &str) {
        self.raw("<");
        self.raw(tag);
        if !class.is_empty() {
            self.raw(&format!(" class=\"{class}\""));
        }
        self.raw(">");
    }

    /// Begins an element of a class with an anchor.
    pub(super) fn open_at(&mut self, tag: &str, class: &str, id: &str) {
        self.raw(&format!("<{tag} class=\"{class}\" id=\"{id}\">"));
    }

    /// Ends an element.
    pub(super) fn close(&mut self, tag: &str) {
        self.raw(&format!("</{tag}>\n"));
    }

    /// Adds an element with text only.
    pub(super) fn element(&mut self, tag: &str, class: &str, text: &str) {
        self.open(tag, class);
        self.text(text);
        self.raw(&format!("</{tag}>"));
    }

    /// Adds a sentence of this crate's messages, with code between backticks.
    pub(super) fn sentence(&mut self, text: &str) {
        if text.matches('`').count() % 2 == 1 {
            return self.text(text);
        }
        for (place, part) in text.split('`').enumerate() {
            if place % 2 == 1 { self.element("code", "", part) } else { self.text(part) }
        }
    }

    /// A list of texts.
    pub(super) fn list<'a>(&mut self, texts: impl Iterator<Item = &'a String>) {
        self.raw("<ul>");
        texts.for_each(|text| self.element("li", "", text));
        self.raw("</ul>");
    }

    /// Another document's markup.
    pub(super) fn append(&mut self, other: &Self) {
        self.0.push_str(&other.0);
    }

    /// The number of bytes so far.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// The text.
    pub(super) fn finish(self) -> String {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::Html;

    #[test]
    fn text_is_never_markup() {
        let mut html = Html::default();
        html.element("p", "a", "<img src=x onerror=alert(1)>&\"\u{202e}\0");
        html.sentence("a `b<` c");
        html.sentence("`");
        assert_eq!(
            html.finish(),
            "<p class=\"a\">&lt;img src=x onerror=alert(1)&gt;&amp;&quot;  </p>a <code>b&lt;</code> c`"
        );
    }
}
