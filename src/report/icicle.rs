//! The map of openings: volumes and families beside each other, each as high as it has games, and
//! the variations of a family in boxes, each as large as it has games.
//!
//! The boxes are laid out as a squarified treemap (Bruls, Huizing and van Wijk, "Squarified
//! treemaps", 2000), of boxes that are wider than high, so that names fit.

use super::html::{Table, count, games, round_percent};
use super::svg::{Anchor, Drawing, Rect, Screen, Shades, fit, sign, width};
use super::{dots::tip, links::Links};
use crate::quoted::counted;
use crate::stats::{Figures, OpeningNode};

/// Volumes and families that would be lower are drawn together.
const LEAST_HEIGHT: f64 = 2.5;

/// Variations that would be smaller are drawn together.
const LEAST_AREA: f64 = 800.0;

/// From this height on a box has room for its name, and from this height on it is hatched.
const FOR_TEXT: f64 = 13.0;
const FOR_HATCHING: f64 = 5.0;

/// Where the volumes, the families and the variations are: left ends and widths.
type Columns = [(f64, f64); 3];

const WIDE: (f64, Columns) = (720.0, [(0.0, 40.0), (42.0, 268.0), (312.0, 648.0)]);
const NARROW: (f64, Columns) = (860.0, [(0.0, 24.0), (26.0, 146.0), (174.0, 186.0)]);

/// The size of a map.
#[derive(Debug, Clone, Copy)]
struct Geometry {
    columns: Columns,
    /// The height of all games.
    height: f64,
    /// All games.
    games: u64,
}

impl Geometry {
    fn new(screen: Screen, tree: &[OpeningNode]) -> Self {
        let (height, columns) = if screen == Screen::Narrow { NARROW } else { WIDE };
        let games = tree.iter().map(|node| node.figures.games).sum::<u64>().max(1);
        Self { columns, height, games }
    }

    fn height_of(&self, games: u64) -> f64 {
        self.height * games as f64 / self.games as f64
    }

    /// The nodes that have a box of their own, and those that share one.
    fn split<'n>(
        &self,
        nodes: &'n [OpeningNode],
        depth: usize,
    ) -> (&'n [OpeningNode], &'n [OpeningNode]) {
        let is_shown = |node: &OpeningNode| {
            let height = self.height_of(node.figures.games);
            match depth {
                0 | 1 => height >= LEAST_HEIGHT,
                _ => height * self.columns[2].1 >= LEAST_AREA,
            }
        };
        nodes.split_at(nodes.iter().take_while(|node| is_shown(node)).count())
    }

    /// A place in a column.
    fn rect(&self, depth: usize, y: f64, height: f64) -> Rect {
        let (x, width) = self.columns[depth];
        Rect { x, y, width, height }
    }
}

/// A map that is being drawn.
struct Map<'d> {
    drawing: &'d mut Drawing,
    geometry: Geometry,
    shades: Shades,
    links: Links<'d>,
    /// The codes of the volume that is being drawn.
    codes: String,
}

/// Draws the map, and returns its height.
pub(super) fn icicle(
    drawing: &mut Drawing,
    tree: &[OpeningNode],
    (level, links): (f64, Links<'_>),
    screen: Screen,
) -> f64 {
    let geometry = Geometry::new(screen, tree);
    let families = tree.iter().flat_map(|volume| &volume.children);
    let variations = families.flat_map(|family| &family.children);
    let shades = Shades::new(level, variations.map(|node| &node.figures));
    let codes = String::new();
    Map { drawing, geometry, shades, links, codes }.column(tree, 0, 0.0);
    geometry.height
}

impl Map<'_> {
    /// Draws volumes or families from a height on, with what is in them.
    fn column(&mut self, nodes: &[OpeningNode], depth: usize, mut y: f64) {
        let (shown, others) = self.geometry.split(nodes, depth);
        for node in shown {
            let height = self.geometry.height_of(node.figures.games);
            let rect = self.geometry.rect(depth, y, height);
            if depth == 0 {
                self.codes = format!("{}00-{}99", node.name, node.name);
                self.node(node, rect, depth, None);
                self.column(&node.children, 1, y);
            } else {
                self.node(node, rect, depth, Some(&node.name));
                self.variations(node, self.geometry.rect(2, y, height));
            }
            y += height;
        }
        let height = self.geometry.height_of(sum(others, |figures| figures.games));
        let (end_x, end_width) = self.geometry.columns[2];
        let rect = self.geometry.rect(depth, y, height);
        self.others(others, Rect { width: end_x + end_width - rect.x, ..rect });
    }

    /// Draws the variations of a family.
    fn variations(&mut self, family: &OpeningNode, rect: Rect) {
        let (shown, others) = self.geometry.split(&family.children, 2);
        let mut sizes: Vec<f64> = shown.iter().map(|node| node.figures.games as f64).collect();
        sizes.push(sum(others, |figures| figures.games) as f64);
        if others.is_empty() {
            sizes.pop();
        }
        let mut boxes = mosaic(&sizes, rect).into_iter();
        for (node, rect) in shown.iter().zip(boxes.by_ref()) {
            self.node(node, rect, 2, Some(&format!("{}: {}", family.name, node.name)));
        }
        if let Some(rect) = boxes.next() {
            self.others(others, rect);
        }
    }

    fn others(&mut self, others: &[OpeningNode], rect: Rect) {
        if others.is_empty() {
            return;
        }
        let number = counted(others.len(), "other");
        let text = format!("{number}: {}", games(sum(others, |figures| figures.games)));
        let rect = within(rect);
        self.drawing.rect(rect, "rest", &text);
        let names = [text, number, format!("+{}", others.len())];
        label(self.drawing, rect, "q", &names, "");
    }

    /// Draws a box, which leads to its games: those of the volume with this opening. Those without
    /// a variation lead nowhere, since no condition leaves out the variations.
    fn node(&mut self, node: &OpeningNode, rect: Rect, depth: usize, opening: Option<&str>) {
        let rect = within(rect);
        let name = if node.name.is_empty() { "no variation" } else { &node.name };
        let share = node.figures.games as f64 / self.geometry.games as f64;
        let share = if depth == 0 || share < 0.01 { String::new() } else { round_percent(share) };
        let class = self.shades.of(&node.figures);
        let sign = sign(class);
        let names: Vec<String> = match depth {
            0 | 1 => fit(name, rect.width - 12.0 - width(sign)).into_iter().collect(),
            _ => variation_names(name),
        };
        // Where there is no room for a name, its sign says what the colour says.
        let alone = Some(sign.trim_start().to_owned()).filter(|sign| !sign.is_empty());
        let names: Vec<String> = names.into_iter().map(|name| name + sign).chain(alone).collect();
        let text = tip(self.drawing, name, &node.figures);
        let opening = opening.map(|opening| ("opening", opening));
        let games: Vec<_> = [("eco", &*self.codes)].into_iter().chain(opening).collect();
        let link = if node.name.is_empty() { None } else { self.links.to(&games) };
        self.drawing.linked(link.as_deref(), |drawing| {
            drawing.group(class.unwrap_or("few"), |drawing| {
                drawing.rect(rect, "", &text);
                if class.is_none() && rect.height >= FOR_HATCHING {
                    drawing.hatching(rect);
                }
                label(drawing, rect, "", &names, &share);
            });
        });
    }
}

/// A box without the gap beside the next.
fn within(rect: Rect) -> Rect {
    let shrink = |length: f64| (length - 1.0).max(0.6);
    Rect { width: shrink(rect.width), height: shrink(rect.height), ..rect }
}

/// The names by which a variation may be called: all of it, or without the word that says so.
fn variation_names(name: &str) -> Vec<String> {
    let short = name
        .rsplit_once(' ')
        .filter(|(_, last)| ["Variation", "Defense", "Attack", "System", "Line"].contains(last));
    [Some(name), short.map(|(short, _)| short)].into_iter().flatten().map(str::to_owned).collect()
}

/// The first of some names that fits into a box, and its share of the games if both fit.
fn label(drawing: &mut Drawing, rect: Rect, class: &str, names: &[String], share: &str) {
    let (y, room) = (rect.y + rect.height.min(22.0) / 2.0 + 4.0, rect.width - 12.0);
    let name = names.iter().find(|name| width(name) <= room);
    let Some(name) = name.filter(|_| rect.height >= FOR_TEXT) else { return };
    drawing.text(rect.x + 6.0, y, Anchor::Start, class, name);
    if !share.is_empty() && width(name) + width(share) + 12.0 <= room {
        drawing.text(rect.x + rect.width - 6.0, y, Anchor::End, class, share);
    }
}

fn sum(nodes: &[OpeningNode], number: fn(&Figures) -> u64) -> u64 {
    nodes.iter().map(|node| number(&node.figures)).sum()
}

/// The rows that belong to the wide map; what it draws together has one row.
pub(super) fn rows(tree: &[OpeningNode], table: &mut Table) {
    add_rows(&Geometry::new(Screen::Wide, tree), tree, 0, table);
}

fn add_rows(geometry: &Geometry, nodes: &[OpeningNode], depth: usize, table: &mut Table) {
    let (shown, others) = geometry.split(nodes, depth);
    for node in shown {
        let name = if node.name.is_empty() { "(no variation)" } else { &node.name };
        table.push_figures(name, depth, &node.figures);
        if depth < 2 {
            add_rows(geometry, &node.children, depth + 1, table);
        }
    }
    if !others.is_empty() {
        let numbers: [fn(&Figures) -> u64; 4] = [|f| f.games, |f| f.won, |f| f.drawn, |f| f.lost];
        let mut cells = vec![counted(others.len(), "other")];
        cells.extend(numbers.map(|number| count(sum(others, number))));
        table.push(depth, cells);
    }
}

/// How much wider than high a box should be.
const FLATNESS: f64 = 5.0;

/// Boxes for sizes, the greatest first, in a rectangle.
pub(super) fn mosaic(sizes: &[f64], rect: Rect) -> Vec<Rect> {
    let all: f64 = sizes.iter().sum();
    if all <= 0.0 {
        return Vec::new();
    }
    // Boxes that should be flat are squares of a picture that is as much narrower.
    let mut rest = Rect { x: 0.0, y: 0.0, width: rect.width / FLATNESS, height: rect.height };
    let scale = rest.width * rest.height / all;
    let areas: Vec<f64> = sizes.iter().map(|size| size * scale).collect();
    let (mut boxes, mut areas) = (Vec::new(), &areas[..]);
    while !areas.is_empty() {
        let side = rest.width.min(rest.height);
        let count = strip(areas, side);
        let (strip, others) = areas.split_at(count);
        rest = lay(strip, rest, &mut boxes);
        areas = others;
    }
    let into_picture = |b: Rect| Rect {
        x: rect.x + b.x * FLATNESS,
        y: rect.y + b.y,
        width: b.width * FLATNESS,
        height: b.height,
    };
    boxes.into_iter().map(into_picture).collect()
}

/// The number of areas that are best laid beside each other along a side.
fn strip(areas: &[f64], side: f64) -> usize {
    let mut count = 1;
    while count < areas.len() && worst(&areas[..=count], side) <= worst(&areas[..count], side) {
        count += 1;
    }
    count
}

/// How far the least square of these areas is from a square, laid along a side.
fn worst(areas: &[f64], side: f64) -> f64 {
    let sum: f64 = areas.iter().sum();
    let thickness = sum / side;
    let ratio = |area: &f64| {
        let length = area / thickness;
        f64::max(length / thickness, thickness / length)
    };
    areas.iter().map(ratio).fold(0.0, f64::max)
}

/// Lays areas along the shorter side of a rectangle, and returns what is left of it.
fn lay(areas: &[f64], rest: Rect, boxes: &mut Vec<Rect>) -> Rect {
    let sum: f64 = areas.iter().sum();
    let Rect { mut x, mut y, width, height } = rest;
    if width >= height {
        let thickness = sum / height;
        for area in areas {
            let length = area / thickness;
            boxes.push(Rect { x, y, width: thickness, height: length });
            y += length;
        }
        return Rect { x: x + thickness, width: (width - thickness).max(0.0), ..rest };
    }
    let thickness = sum / width;
    for area in areas {
        let length = area / thickness;
        boxes.push(Rect { x, y, width: length, height: thickness });
        x += length;
    }
    Rect { y: y + thickness, height: (height - thickness).max(0.0), ..rest }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn boxes_have_their_share_and_stay_inside(
            mut sizes in prop::collection::vec(1..1000_u32, 1..40),
            (width, height) in (1..900_u32, 1..700_u32),
        ) {
            sizes.sort_by_key(|size| std::cmp::Reverse(*size));
            let sizes: Vec<f64> = sizes.into_iter().map(f64::from).collect();
            let all: f64 = sizes.iter().sum();
            let rect = Rect { x: 7.0, y: 3.0, width: width.into(), height: height.into() };
            let boxes = mosaic(&sizes, rect);
            prop_assert_eq!(boxes.len(), sizes.len());
            for (size, found) in sizes.iter().zip(&boxes) {
                let share = found.width * found.height / (rect.width * rect.height);
                prop_assert!((share - size / all).abs() < 1e-6);
                prop_assert!(found.x >= 7.0 - 1e-6 && found.y >= 3.0 - 1e-6);
                prop_assert!(found.x + found.width <= 7.0 + rect.width + 1e-6);
                prop_assert!(found.y + found.height <= 3.0 + rect.height + 1e-6);
            }
        }
    }
}
