//! Openings as a tree to browse: families, their variations, and what these have below them.

use std::{cmp::Reverse, collections::BTreeMap};

use super::index::{Catalogue, Line};
use super::names::games_of;

/// A family, a variation, or a full name, with all lines whose names begin with it.
#[non_exhaustive]
pub struct Branch<'c> {
    /// The name down to here: `Sicilian Defense: Najdorf Variation`.
    pub name: String,
    /// This name in English, if it is in another language.
    pub english: Option<String>,
    /// Its last part: `Najdorf Variation`.
    pub part: String,
    /// 1 for a family, 2 for a variation, 3 for a full name.
    pub depth: usize,
    /// The number of its lines.
    pub lines: usize,
    /// How often they were played, in games of masters and of a strong player; 0 for names that
    /// only other masters have.
    pub games: u64,
    /// The first of its codes and the last.
    pub codes: [&'c str; 2],
    /// The shortest line with this name, or else of the branch.
    pub line: &'c Line,
    /// The branches below it.
    pub below: Vec<Branch<'c>>,
}

impl Catalogue {
    /// The lines as a tree: families, and down to a depth their variations and full names. What is
    /// played most comes first.
    ///
    /// ```
    /// use eco::catalogue::Catalogue;
    ///
    /// let catalogue = Catalogue::builtin();
    /// let families = catalogue.branches(catalogue.lines(), 2);
    /// assert_eq!(families[0].name, "Sicilian Defense");
    /// assert!(families[0].below.iter().any(|branch| branch.part == "Najdorf Variation"));
    /// ```
    pub fn branches<'c>(
        &'c self,
        lines: impl IntoIterator<Item = &'c Line>,
        depth: usize,
    ) -> Vec<Branch<'c>> {
        self.grow(lines.into_iter().collect(), 1, depth)
    }

    fn grow<'c>(&self, lines: Vec<&'c Line>, depth: usize, deepest: usize) -> Vec<Branch<'c>> {
        let mut by_name: BTreeMap<&str, Vec<&'c Line>> = BTreeMap::new();
        for line in lines {
            if let Some(name) = name_to(line, depth) {
                by_name.entry(name).or_default().push(line);
            }
        }
        let branch = |(name, lines)| self.branch(name, lines, depth, deepest);
        let mut branches: Vec<Branch<'c>> = by_name.into_iter().filter_map(branch).collect();
        branches.sort_by_key(|branch| (Reverse(branch.games), Reverse(branch.lines)));
        branches
    }

    /// The branch of these lines; `None` if there are none.
    fn branch<'c>(
        &self,
        name: &str,
        lines: Vec<&'c Line>,
        depth: usize,
        deepest: usize,
    ) -> Option<Branch<'c>> {
        let is_other = |line: &&&Line| line.opening.name() != name;
        let plies = |line: &&&Line| self.plies(line).unwrap_or(usize::MAX);
        let line = *lines.iter().min_by_key(|line| (is_other(line), plies(line)))?;
        let mut names: Vec<&str> = lines.iter().map(|line| line.opening.english_name()).collect();
        names.sort_unstable();
        names.dedup();
        let codes = || lines.iter().map(|line| line.opening.code());
        let above = name_to(line, depth - 1).filter(|_| depth > 1).map_or(0, str::len);
        Some(Branch {
            name: name.to_owned(),
            english: line.opening.original_name_to(depth),
            part: name[above..].trim_start_matches([':', ',', ' ']).to_owned(),
            depth,
            lines: lines.len(),
            games: names.into_iter().map(games_of).sum(),
            codes: [codes().min()?, codes().max()?],
            line,
            below: if depth < deepest { self.grow(lines, depth + 1, deepest) } else { Vec::new() },
        })
    }
}

/// The name of a line down to a depth; `None` if it ends before.
fn name_to(line: &Line, depth: usize) -> Option<&str> {
    let opening = &line.opening;
    let (name, variation) = (opening.name(), opening.variation());
    match depth {
        0 | 1 => Some(opening.family()),
        _ if variation.is_empty() => None,
        2 if opening.subvariation().is_empty() => Some(name),
        2 => Some(name[..name.len() - opening.subvariation().len()].trim_end_matches([',', ' '])),
        _ => Some(name).filter(|_| !opening.subvariation().is_empty()),
    }
}

impl<'c> Branch<'c> {
    /// This branch and all below it, each before those below it.
    pub fn all(&self) -> Vec<&Branch<'c>> {
        let mut all = vec![self];
        all.extend(self.below.iter().flat_map(Branch::all));
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_once_at_each_depth_that_its_name_has() {
        let catalogue = Catalogue::builtin();
        let tree = catalogue.branches(catalogue.lines(), 3);
        assert_eq!(tree.iter().map(|branch| branch.lines).sum::<usize>(), catalogue.lines().len());
        for branch in tree.iter().flat_map(Branch::all) {
            let below: usize = branch.below.iter().map(|branch| branch.lines).sum();
            assert!(below <= branch.lines, "{}", branch.name);
            assert!(branch.name.ends_with(&branch.part) && !branch.part.is_empty());
            assert!(branch.line.opening.name().starts_with(&branch.name), "{}", branch.name);
            assert!(branch.below.iter().all(|below| below.name.starts_with(&branch.name)));
        }
        let deepest = tree.iter().flat_map(Branch::all).filter(|branch| branch.depth == 3);
        assert!(deepest.count() > 1000);
    }
}
