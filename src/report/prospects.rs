//! What an opponent makes likely, as a page: the most likely gaps as diagrams, and every table.

use super::html::{Html, Table, is_address, with_sign};
use super::svg::{diagram_of, image};
use super::{Topic, page_of, section};
use crate::output::repertoire::{ProspectRow, ProspectSection, ProspectTable};
use crate::repertoire::ProspectKind;

/// A page about an opponent.
#[derive(Debug, Clone)]
pub struct ProspectsPage<'a> {
    /// What it is about.
    pub topic: Topic,
    /// The tables, in their order.
    pub tables: Vec<ProspectTable<'a>>,
    /// The most rows of each that are shown: never more than 50.
    pub most: usize,
}

/// The gaps that are drawn of each table.
const DRAWN: usize = 6;

/// The most rows of a table that are shown.
const SHOWN: usize = 50;

impl ProspectsPage<'_> {
    /// The page as HTML, which is XML as well.
    pub fn to_html(&self) -> String {
        page_of(&self.topic, "prepare", |html| {
            for table in &self.tables {
                section(html, &table.title, |html| {
                    write_section(html, table, self.most.min(SHOWN));
                });
            }
        })
    }
}

fn write_section(html: &mut Html, table: &ProspectTable<'_>, most: usize) {
    if !table.lead.is_empty() {
        html.leaf("p", &[("class", "lead")], &table.lead);
    }
    if table.rows.is_empty() {
        return;
    }
    if table.section == ProspectSection::Games {
        return html.element("ul", &[], |html| {
            table.rows.iter().take(most).for_each(|row| game(html, row));
        });
    }
    diagrams(html, table);
    let (heads, rows) = table.cells(most);
    let heads: Vec<&str> = heads.iter().map(String::as_str).collect();
    let mut written = Table::new(&table.title, &heads);
    rows.into_iter().for_each(|cells| written.push(0, cells));
    written.write_open(html);
    let more = table.rows.len().saturating_sub(most);
    if more > 0 {
        let note = format!("{more} more are in the other formats.");
        html.leaf("p", &[("class", "note")], &note);
    }
}

/// The most likely gaps, each seen from the side of the player.
fn diagrams(html: &mut Html, table: &ProspectTable<'_>) {
    let is_gap =
        |row: &&ProspectRow<'_>| row.found().is_some_and(|found| found.kind == ProspectKind::Gap);
    let mut gaps = table.rows.iter().filter(is_gap).take(DRAWN).peekable();
    if gaps.peek().is_none() {
        return;
    }
    html.element("div", &[("class", "pair")], |html| {
        for row in gaps {
            let Some(found) = row.found() else { continue };
            let line = row.line_for_people().unwrap_or_default();
            html.element("figure", &[], |html| {
                let source = image(&diagram(row));
                let position = found.key.to_string();
                html.void("img", &[("width", "300"), ("src", &source), ("alt", &position)]);
                let caption = format!("{line}: {}", with_sign(found.probability));
                html.leaf("figcaption", &[], &caption);
            });
        }
    });
}

fn diagram(row: &ProspectRow<'_>) -> String {
    let Some(found) = row.found() else { return String::new() };
    let last = found.line.as_ref().and_then(|line| line.moves.last());
    diagram_of(&found.key, row.color, last)
}

/// A game between the opponent and the player, as a link if it has an address.
fn game(html: &mut Html, row: &ProspectRow<'_>) {
    let Some(game) = row.game().map(|played| &played.game) else { return };
    let (white, black) = (game.known_tag("White"), game.known_tag("Black"));
    let date = game.details().date.map(|date| format!("{date}: "));
    let opening = row.opening.map(|opening| format!(", {}", opening.name()));
    let result = game.result().as_str();
    let text = format!("{}{white} \u{2013} {black} {result}", date.unwrap_or_default());
    html.element("li", &[], |html| {
        match game.info().link().filter(|link| is_address(link)) {
            Some(link) => {
                html.leaf("a", &[("href", &*link), ("rel", "noopener noreferrer")], &text);
            }
            None => html.leaf("bdi", &[], &text),
        }
        html.text(&opening.unwrap_or_default());
    });
    html.end_line();
}
