//! The first moves as flows: each move is as high as it has games, and leads to the next.

use super::html::{Table, count, percent, round_percent};
use super::svg::{Anchor, Drawing, LETTERS, Path, Rect, Screen, Shades, sign, width};
use super::{dots::tip, links::Links};
use crate::stats::MoveNode;

/// The height of all games.
const HEIGHT: f64 = 520.0;

/// The distance of moves.
const GAP: f64 = 7.0;

/// Moves with a smaller share of all games are left out.
const LEAST_SHARE: f64 = 0.012;

/// The plies that are shown.
const PLIES: usize = 4;

/// The width of the box of a move.
const BOX: f64 = 10.0;

/// The flows on one screen.
struct Flows<'p> {
    screen: Screen,
    shades: Shades,
    links: Links<'p>,
    /// All games.
    games: u64,
    /// Where the next move of each ply goes.
    next: [f64; PLIES],
}

/// Draws the flows, and returns the height.
pub(super) fn flows(
    drawing: &mut Drawing,
    moves: &[MoveNode],
    games: u64,
    (level, links): (f64, Links<'_>),
    screen: Screen,
) -> f64 {
    let replies = moves.iter().flat_map(|node| &node.children);
    let shades = Shades::new(level, replies.map(|node| &node.figures));
    let mut flows = Flows { screen, shades, links, games, next: [20.0; PLIES] };
    let mut labels = drawing.beside();
    for (ply, x) in (0..PLIES).map(|ply| (ply, flows.x(ply))) {
        let title = if ply % 2 == 0 { "White" } else { "Black" };
        drawing.text(x, 11.0, Anchor::Start, "q", &format!("{title} {}", ply / 2 + 1));
    }
    flows.moves(drawing, &mut labels, moves, "", None);
    drawing.append(&labels);
    flows.next.into_iter().fold(0.0, f64::max)
}

impl Flows<'_> {
    fn x(&self, ply: usize) -> f64 {
        self.screen.width() / PLIES as f64 * ply as f64
    }

    fn share(&self, node: &MoveNode) -> f64 {
        node.figures.games as f64 / self.games.max(1) as f64
    }

    /// Draws the moves after a line; `from` is where the last one before them ends.
    fn moves(
        &mut self,
        drawing: &mut Drawing,
        labels: &mut Drawing,
        nodes: &[MoveNode],
        before: &str,
        from: Option<(f64, f64)>,
    ) {
        let ply = before.split_whitespace().filter(|word| !word.ends_with('.')).count();
        let mut source = from;
        for node in nodes {
            if self.share(node) < LEAST_SHARE {
                continue;
            }
            let height = self.share(node) * HEIGHT;
            // Level with the flow that leads to it, if there is room.
            let level = source.map_or(0.0, |(_, y)| y);
            let (x, y) = (self.x(ply), self.next[ply].max(level));
            self.next[ply] = y + height + GAP;
            if let Some((from_x, from_y)) = &mut source {
                drawing.path(&ribbon((*from_x, *from_y), (x, y), height), "flow", "");
                *from_y += height;
            }
            let line = line(before, ply, &node.san);
            let link = self.links.after(&line);
            let rect = Rect { x, y, width: BOX, height };
            labels.linked(link.as_deref(), |labels| self.draw_move(labels, node, ply, rect));
            if ply + 1 < PLIES {
                self.moves(drawing, labels, &node.children, &line, Some((x + BOX, y)));
            }
        }
    }

    fn draw_move(&self, drawing: &mut Drawing, node: &MoveNode, ply: usize, rect: Rect) {
        let class = self.shades.of(&node.figures);
        let name = numbered(ply, &node.san);
        let is_narrow = self.screen == Screen::Narrow;
        let shown = &format!("{}{}", if is_narrow { &node.san } else { &name }, sign(class));
        drawing.group(class.unwrap_or("few"), |drawing| {
            let text = tip(drawing, &name, &node.figures);
            drawing.rect(rect, "", &text);
        });
        let (x, y) = (rect.x + BOX + 5.0, rect.y + rect.height / 2.0 + 4.0);
        let room = self.screen.width() / PLIES as f64 - BOX - 8.0;
        let share = round_percent(self.share(node));
        if rect.height + GAP < LETTERS + 1.0 || width(shown) > room {
            return;
        }
        drawing.text(x, y, Anchor::Start, "strong", shown);
        let after = width(shown) * 1.1 + 5.0;
        if after + width(&share) <= room {
            drawing.text(x + after, y, Anchor::Start, "q", &share);
        }
    }
}

/// A move with its number: `1. e4`, `1… c5`.
fn numbered(ply: usize, san: &str) -> String {
    let dots = if ply.is_multiple_of(2) { "." } else { "…" };
    format!("{}{dots} {san}", ply / 2 + 1)
}

/// A line with one move more.
fn line(before: &str, ply: usize, san: &str) -> String {
    let word = if ply.is_multiple_of(2) { numbered(ply, san) } else { san.to_owned() };
    if before.is_empty() { word } else { format!("{before} {word}") }
}

/// A band between two places, of one height.
fn ribbon(from: (f64, f64), to: (f64, f64), height: f64) -> Path {
    let below = |(x, y): (f64, f64)| (x, y + height);
    let mut path = Path::default();
    path.move_to(from);
    path.curve_to(from, to);
    path.line_to(below(to));
    path.curve_to(below(to), below(from));
    path.close();
    path
}

/// The table of the moves that are shown, after a line of this number of plies.
pub(super) fn rows(
    nodes: &[MoveNode],
    (before, ply): (&str, usize),
    games: u64,
    table: &mut Table,
) {
    let share = |node: &MoveNode| node.figures.games as f64 / games.max(1) as f64;
    for node in nodes.iter().filter(|node| share(node) >= LEAST_SHARE) {
        let line = line(before, ply, &node.san);
        let figures = &node.figures;
        let optional = |text: Option<String>| text.unwrap_or_default();
        table.push(
            0,
            vec![
                line.clone(),
                count(figures.games),
                percent(share(node)),
                optional(figures.score.map(percent)),
                optional(figures.interval.map(|interval| percent(interval.low))),
                optional(figures.interval.map(|interval| percent(interval.high))),
                optional(figures.difference.map(|found| super::html::points(found.value))),
            ],
        );
        if ply + 1 < PLIES {
            rows(&node.children, (&line, ply + 1), games, table);
        }
    }
}

/// The heads of the table.
pub(super) const HEADS: [&str; 7] = ["moves", "games", "percent", "score", "low", "high", "diff"];
