//! Text as HTML: whatever comes from a trace is escaped here.

use stepscope_present::text::count;

/// A document that is being written.
#[derive(Debug, Default)]
pub(super) struct Html(String);

impl Html {
    /// Markup of our own.
    pub(super) fn raw(&mut self, markup: &str) {
        self.0.push_str(markup);
    }

    /// Text as text.
    pub(super) fn text(&mut self, text: &str) {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                '"' => self.0.push_str("&quot;"),
                // What would turn the text around, or is none.
                '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => self.0.push(' '),
                control if control.is_control() && control != '\n' => self.0.push(' '),
                other => self.0.push(other),
            }
        }
    }

    /// Begins an element of a class, if one is said.
    pub(super) fn open(&mut self, tag: &str, class: &str) {
        self.raw("<");
        self.raw(tag);
        if !class.is_empty() {
            self.raw(&format!(" class=\"{class}\""));
        }
        self.raw(">");
    }

    /// Ends an element.
    pub(super) fn close(&mut self, tag: &str) {
        self.raw(&format!("</{tag}>\n"));
    }

    /// An element that holds text alone.
    pub(super) fn element(&mut self, tag: &str, class: &str, text: &str) {
        self.open(tag, class);
        self.text(text);
        self.raw(&format!("</{tag}>"));
    }

    /// A section with a title and a list of texts: the first ones, and how many others there are, with where these are.
    pub(super) fn short_list(&mut self, class: &str, title: &str, texts: &[String], most: usize, elsewhere: &str) {
        if texts.is_empty() {
            return;
        }
        self.open("section", class);
        self.element("h2", "", title);
        self.raw("<ul>");
        texts.iter().take(most).for_each(|text| self.element("li", "", text));
        self.raw("</ul>");
        if let Some(others) = texts.len().checked_sub(most).filter(|others| *others > 0) {
            self.element("p", "hint", &format!("… and {} more{elsewhere}.", count(others as u64)));
        }
        self.close("section");
    }

    /// Bytes so far.
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
        assert_eq!(html.finish(), "<p class=\"a\">&lt;img src=x onerror=alert(1)&gt;&amp;&quot;  </p>");
    }
}
