//! Where a book is cut by openings, and what its chapters are called.
//!
//! A line belongs to the opening of its last position. Neighbouring lines of a family, variation or
//! subvariation are a chapter, of as many parts of the name as leave it large enough to stand
//! alone. So each chapter is a part of the text, and what is read back has its order.

use std::{cmp::Reverse, collections::HashSet, ops::Range};

use super::outline::{ChapterSpan, Outline, cut};
use crate::{catalogue::Catalogue, opening::Opening, repertoire::Extract};

/// The limits of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ChapterLimits {
    /// The maximum number of chapters.
    pub max_chapters: usize,
    /// The maximum number of moves in each; 0 counts as 1.
    pub max_moves: usize,
}

impl Default for ChapterLimits {
    /// Those of a study on lichess.
    fn default() -> Self {
        Self { max_chapters: 64, max_moves: 3000 }
    }
}

/// A book is too large for a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "{needed} chapters are needed and {allowed} allowed: leave out rare moves, or export as one game"
)]
#[non_exhaustive]
pub struct TooManyChapters {
    /// The number of chapters that the book needs.
    pub needed: usize,
    /// The maximum number.
    pub allowed: usize,
}

/// Names of chapters are cut here, as lichess does.
const MAX_NAME: usize = 80;

/// Fewer moves are too few for a chapter, if there is another one that they belong to.
const FEW: usize = 10;

/// An opening of more moves is divided.
const MANY: usize = 240;

/// Lines with this number of half-moves in common belong together, whatever they are called.
const DEEP: usize = 4;

/// From this number of parts on, a chapter takes the name that all its parts but one have.
const NEARLY_ALL: usize = 8;

/// The parts of the name of an opening, as many as there are: family, variation, subvariation.
type Parts<'n> = Vec<&'n str>;

fn parts(opening: Option<&Opening>) -> Parts<'_> {
    let parts = opening.map(|all| [all.family(), all.variation(), all.subvariation()]);
    parts.into_iter().flatten().take_while(|part| !part.is_empty()).collect()
}

/// Shortens the parts of a name to those that another one has as well.
fn keep_common(parts: &mut Parts<'_>, other: &[&str]) {
    parts.truncate(parts.iter().zip(other).take_while(|(one, other)| one == other).count());
}

/// Neighbouring lines of an opening.
struct Run<'n> {
    tree: usize,
    steps: Range<usize>,
    parts: Parts<'n>,
}

/// A book by openings.
pub(super) struct Openings<'n, 'b> {
    extract: &'n Extract<'b>,
    outline: &'n Outline,
    /// By move, the opening of the first line that has it.
    parts: Vec<Parts<'n>>,
    runs: Vec<Run<'n>>,
}

/// Chapters, each with its name.
pub(super) struct Chapters {
    pub(super) spans: Vec<ChapterSpan>,
    pub(super) names: Vec<String>,
}

impl<'n, 'b> Openings<'n, 'b> {
    /// A run for each opening.
    pub(super) fn of(extract: &'n Extract<'b>, outline: &'n Outline) -> Self {
        let parts = parts_of_lines(extract, outline);
        let mut runs: Vec<Run<'n>> = Vec::new();
        for (number, tree) in outline.trees.iter().enumerate() {
            let start = runs.len();
            for step in tree.steps.clone() {
                match runs[start..].last_mut() {
                    Some(run) if run.parts == parts[step] => run.steps.end = step + 1,
                    _ => {
                        let (steps, parts) = (step..step + 1, parts[step].clone());
                        runs.push(Run { tree: number, steps, parts });
                    }
                }
            }
            if tree.steps.is_empty() {
                let parts = self::parts(extract.opening(tree.root));
                runs.push(Run { tree: number, steps: tree.steps.clone(), parts });
            }
        }
        Self { extract, outline, parts, runs }
    }

    /// All moves of each tree, as a chapter. `name` is that of the book.
    pub(super) fn whole(mut self, name: &str) -> Chapters {
        for at in (0..self.runs.len()).rev() {
            if self.shared_depth(at).is_some() {
                self.join(at);
            }
        }
        self.chapters(usize::MAX, name)
    }

    /// The chapters of a study. `name` is that of the book.
    ///
    /// # Errors
    ///
    /// If more chapters are needed than are allowed.
    pub(super) fn study(
        mut self,
        limits: ChapterLimits,
        name: &str,
    ) -> Result<Chapters, TooManyChapters> {
        for pass in [Self::join_few, |_: &mut Self| {}] {
            self.join_alike(2);
            self.join_alike(1);
            pass(&mut self);
        }
        let (allowed, max_moves) = (limits.max_chapters, limits.max_moves.max(1));
        loop {
            self.join_equal(max_moves / 4);
            let smallest = self.smallest(|_, _| true);
            if self.runs.len() <= allowed || smallest.is_none() {
                let needed = self.cut(max_moves).len();
                if needed <= allowed {
                    return Ok(self.chapters(max_moves, name));
                }
            }
            match smallest {
                Some(at) => self.join(at),
                None => return Err(TooManyChapters { needed: self.cut(max_moves).len(), allowed }),
            }
        }
    }

    /// The number of moves that the lines of a run and those of the next one have in common; `None`
    /// at the end of a tree.
    fn shared_depth(&self, at: usize) -> Option<usize> {
        let next = self.runs.get(at + 1).filter(|next| next.tree == self.runs[at].tree)?;
        Some(self.outline.steps[next.steps.start].depth)
    }

    /// Joins a run and the next one.
    fn join(&mut self, at: usize) {
        let next = self.runs.remove(at + 1);
        let run = &mut self.runs[at];
        if NEARLY_ALL * run.steps.len() < next.steps.len() {
            run.parts = next.parts;
        } else if NEARLY_ALL * next.steps.len() >= run.steps.len() {
            keep_common(&mut run.parts, &next.parts);
        }
        run.steps.end = next.steps.end;
    }

    /// Joins neighbours that have the first parts of their names in common: all of them, if they
    /// are not many moves, else those of few moves.
    fn join_alike(&mut self, length: usize) {
        let mut start = 0;
        while start < self.runs.len() {
            let first = &self.runs[start];
            let prefix = first.parts.get(..length);
            let is_alike = |run: &Run<'n>| {
                prefix.is_some() && run.tree == first.tree && run.parts.get(..length) == prefix
            };
            let others = self.runs[start + 1..].iter().take_while(|run| is_alike(run)).count();
            let mut end = start + others;
            let moves: usize = self.runs[start..=end].iter().map(|run| run.steps.len()).sum();
            let is_small = |run: &Run<'n>| moves <= MANY || run.steps.len() < FEW;
            while let Some(at) =
                (start..end).find(|at| self.runs[*at..=at + 1].iter().any(is_small))
            {
                self.join(at);
                end -= 1;
            }
            start = end + 1;
        }
    }

    /// Joins neighbours of one name, up to a number of moves.
    fn join_equal(&mut self, most: usize) {
        for at in (0..self.runs.len().saturating_sub(1)).rev() {
            let [one, next] = &self.runs[at..at + 2] else { continue };
            let moves = one.steps.len() + next.steps.len();
            if self.shared_depth(at).is_some() && one.parts == next.parts && moves <= most {
                self.join(at);
            }
        }
    }

    /// Joins runs of few moves to neighbours of as few moves, or with which they have many moves in
    /// common.
    fn join_few(&mut self) {
        let belongs = |own: &Run<'n>, other: (&Run<'n>, usize)| {
            own.steps.len() < FEW && (other.0.steps.len() < FEW || other.1 >= DEEP)
        };
        while let Some(at) = self.smallest(belongs) {
            self.join(at);
        }
    }

    /// The first of two neighbours of which one is the smallest run that may be joined to the
    /// other. Of two others it is the one with which the run has more moves in common.
    fn smallest(&self, may_join: impl Fn(&Run<'n>, (&Run<'n>, usize)) -> bool) -> Option<usize> {
        let pairs = (0..self.runs.len()).filter_map(|at| Some((at, self.shared_depth(at)?)));
        let sides =
            pairs.flat_map(|(at, depth)| [(at, at, at + 1, depth), (at, at + 1, at, depth)]);
        let joined = sides.filter(|(_, own, other, depth)| {
            may_join(&self.runs[*own], (&self.runs[*other], *depth))
        });
        let order = |(_, own, _, depth): &(usize, usize, usize, usize)| {
            (self.runs[*own].steps.len(), *own, Reverse(*depth))
        };
        joined.min_by_key(order).map(|(at, ..)| at)
    }

    /// The chapters, each with the place of its run.
    fn cut(&self, max_moves: usize) -> Vec<(usize, ChapterSpan)> {
        let (mut spans, mut path) = (Vec::new(), Vec::new());
        for (place, run) in self.runs.iter().enumerate() {
            let of_run = cut(self.outline, run.tree, run.steps.clone(), &mut path, max_moves);
            spans.extend(of_run.into_iter().map(|span| (place, span)));
        }
        spans
    }

    fn chapters(&self, max_moves: usize, name: &str) -> Chapters {
        let cut = self.cut(max_moves);
        let openings: Vec<_> = cut.iter().map(|(place, span)| self.opening(*place, span)).collect();
        let moves: Vec<_> = cut.iter().map(|(_, span)| self.outline.common_moves(span)).collect();
        let names = names(&openings, &moves, self.extract.catalogue, name);
        Chapters { spans: cut.into_iter().map(|(_, span)| span).collect(), names }
    }

    /// The parts of the name of a chapter: those that all its lines have, or else those of its run,
    /// or else those of the last position that they have in common.
    fn opening(&self, place: usize, span: &ChapterSpan) -> Parts<'n> {
        let run = &self.runs[place];
        let mut all = span.steps.clone().map(|step| &self.parts[step]);
        let mut common = all.next().cloned().unwrap_or_default();
        all.for_each(|parts| keep_common(&mut common, parts));
        match () {
            () if common.len() > run.parts.len() => common,
            () if !run.parts.is_empty() => run.parts.clone(),
            () => parts(self.extract.opening(self.outline.common_position(span))),
        }
    }
}

/// For each move, the opening of the last position of the first line that has it. A line that goes
/// on elsewhere is one of the opening that it comes from.
fn parts_of_lines<'n>(extract: &'n Extract<'_>, outline: &Outline) -> Vec<Parts<'n>> {
    let steps = &outline.steps;
    let mut all = vec![Vec::new(); steps.len()];
    for tree in &outline.trees {
        for step in tree.steps.clone().rev() {
            let is_last = step + 1 == tree.steps.end || steps[step + 1].depth <= steps[step].depth;
            all[step] = match is_last {
                true if outline.goes_on(&steps[step]) => parts(extract.opening(steps[step].to)),
                true => parts(extract.opening(steps[step].from)),
                false => all[step + 1].clone(),
            };
        }
    }
    all
}

/// What chapters are called that have no name of an opening in common.
const OTHERS: &str = "Other openings";

/// The names of chapters, each of which only one has: by the parts of the names of their openings,
/// or else by the moves that lead to them, or else `name`. Of several with one name, the others
/// have the last of those moves, or else a number.
fn names(
    openings: &[Parts<'_>],
    moves: &[String],
    catalogue: Option<&Catalogue>,
    name: &str,
) -> Vec<String> {
    let has_openings = openings.iter().any(|parts| !parts.is_empty());
    let mut known: HashSet<String> = HashSet::new();
    let mut names = Vec::new();
    for (parts, moves) in openings.iter().zip(moves) {
        let text = match moves.as_str() {
            _ if !parts.is_empty() => short_name(parts, catalogue),
            "" if has_openings => OTHERS.to_owned(),
            "" => name.to_owned(),
            moves => moves.to_owned(),
        };
        let by_moves = last_moves(moves).filter(|_| text != *moves);
        let additions =
            [String::new()].into_iter().chain(by_moves.map(|moves| format!(" ({moves})")));
        let mut all = additions.chain((2..).map(|number| format!(" ({number})")));
        let name = all.by_ref().map(|more| bounded(&text, MAX_NAME - more.len()) + &more);
        let name = name.into_iter().find(|name| known.insert(name.clone()));
        names.extend(name);
    }
    names
}

/// The last numbered moves of a line, of at most two half-moves.
fn last_moves(moves: &str) -> Option<String> {
    let words: Vec<&str> = moves.split(' ').collect();
    let start = words.iter().rposition(|word| word.ends_with('.'))?;
    Some(words[start..].join(" "))
}

/// A text of at most this many characters.
fn bounded(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    let cut: String = text.chars().take(most - 3).collect();
    format!("{}...", cut.trim_end())
}

/// The last words of names that say nothing.
const NOUNS: [&str; 2] = [" Variation", " Defense"];

/// A variation with at least this number of named lines may be known without its family.
const WELL_KNOWN: usize = 9;

fn without_noun(part: &str) -> &str {
    NOUNS.iter().find_map(|noun| part.strip_suffix(noun)).unwrap_or(part)
}

/// A part without its last word, unless another part would be the same.
fn short<'p>(part: &'p str, mut others: impl Iterator<Item = &'p str>) -> &'p str {
    let short = without_noun(part);
    if others.any(|other| other != part && without_noun(other) == short) { part } else { short }
}

/// The shortest name that means one opening: `Najdorf: English Attack`, but `French: Exchange`.
fn short_name(parts: &[&str], catalogue: Option<&Catalogue>) -> String {
    let lines = catalogue.map_or(&[][..], Catalogue::lines);
    let all = || lines.iter().map(|line| &line.opening);
    let [family, rest @ ..] = parts else { return String::new() };
    let [variation, rest @ ..] = rest else {
        return short(family, all().flat_map(|o| [o.family(), o.variation()])).to_owned();
    };
    let own = short(variation, all().filter(|o| o.family() == *family).map(Opening::variation));
    let word = |part: &'_ str| part.split(' ').next().map(str::to_owned);
    let is_like = |part: &str| word(part) == word(variation);
    let is_elsewhere = |o: &Opening| is_like(o.family()) || is_like(o.variation());
    let (own_family, others): (Vec<_>, Vec<_>) = all().partition(|o| o.family() == *family);
    let lines = own_family.iter().filter(|o| o.variation() == *variation).count();
    let stands_alone = lines >= WELL_KNOWN && !others.into_iter().any(is_elsewhere);
    let family = short(family, all().map(Opening::family));
    match (stands_alone, rest) {
        (true, []) => own.to_owned(),
        (true, [last, ..]) => format!("{own}: {last}"),
        (false, []) => format!("{family}: {own}"),
        (false, [last, ..]) => format!("{family}: {own}, {last}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_as_short_as_they_mean_one_opening() {
        for (name, short) in [
            ("Sicilian Defense: Najdorf Variation, English Attack", "Najdorf: English Attack"),
            ("Sicilian Defense: Najdorf Variation", "Najdorf"),
            ("Sicilian Defense: Open", "Sicilian: Open"),
            ("Sicilian Defense: Accelerated Dragon", "Sicilian: Accelerated Dragon"),
            ("Sicilian Defense", "Sicilian Defense"),
            ("Caro-Kann Defense", "Caro-Kann"),
            ("Caro-Kann Defense: Exchange Variation", "Caro-Kann: Exchange"),
            (
                "French Defense: Winawer Variation, Advance Variation",
                "French: Winawer, Advance Variation",
            ),
            ("French Defense: Exchange Variation, Monte Carlo", "French: Exchange, Monte Carlo"),
            ("Ruy Lopez: Berlin Defense", "Ruy Lopez: Berlin"),
            ("King's Indian Defense", "King's Indian Defense"),
            ("Vienna Game: with Max Lange Defense", "Vienna Game: with Max Lange"),
        ] {
            let opening = Opening::new(None, name);
            assert_eq!(short_name(&parts(Some(&opening)), Some(Catalogue::builtin())), short);
        }
        assert_eq!(short_name(&["Our Dragon", "Main"], None), "Our Dragon: Main");
    }

    #[test]
    fn no_two_chapters_have_one_name_and_long_names_are_cut() {
        let long = "x ".repeat(100);
        let openings = vec![vec!["Grob"], vec!["Grob"], vec![], vec![], vec![&long], vec![&long]];
        let moves = ["", "", "", "1. g4 d5", "", "1. e4"].map(str::to_owned);
        let names = names(&openings, &moves, None, "Mine");
        assert_eq!(names[..4], ["Grob", "Grob (2)", "Other openings", "1. g4 d5"]);
        assert!(names[4].ends_with("x x..."), "{names:?}");
        assert!(names[5].ends_with("x... (1. e4)") && names[5].len() <= MAX_NAME, "{names:?}");
    }
}
