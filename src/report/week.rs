//! `eco week` as a page: what to learn with a diagram each, and lists.

use super::svg::{diagram_of, image};
use super::{Topic, html::Html, page_of, section};
use crate::output::repertoire::{WeekKind, WeekRow};

/// A page about the latest games.
#[derive(Debug, Clone)]
pub struct WeekPage<'a> {
    /// What it is about.
    pub topic: Topic,
    /// The rows.
    pub rows: Vec<WeekRow<'a>>,
}

impl WeekPage<'_> {
    /// The page as HTML, which is XML as well.
    pub fn to_html(&self) -> String {
        page_of(&self.topic, "week", |html| {
            for &kind in WeekKind::ALL {
                section(html, kind.title(), |html| self.write_kind(html, kind));
            }
        })
    }

    fn write_kind(&self, html: &mut Html, kind: WeekKind) {
        let rows: Vec<&WeekRow<'_>> = self.rows.iter().filter(|row| row.kind == kind).collect();
        match kind {
            _ if rows.is_empty() => html.leaf("p", &[("class", "lead")], kind.nothing()),
            WeekKind::Learn => html.element("div", &[("class", "pair")], |html| {
                rows.iter().for_each(|row| figure(html, row));
            }),
            _ => html.element("ul", &[], |html| {
                rows.iter().for_each(|row| html.leaf("li", &[], &row.text));
            }),
        }
    }
}

/// A position to learn, seen from the side of the repertoire.
fn figure(html: &mut Html, row: &WeekRow<'_>) {
    html.element("figure", &[], |html| {
        if let Some(key) = &row.key {
            let (source, position) = (image(&diagram_of(key, row.color, None)), key.to_string());
            html.void("img", &[("width", "300"), ("src", &source), ("alt", &position)]);
        }
        html.leaf("figcaption", &[], &row.text);
    });
}
