//! Games counted in groups, in one pass.

use std::{collections::HashMap, sync::Arc};

use super::{
    axis::{Axis, Translation},
    breakdown::{Breakdown, Group},
    example::Examples,
    game::{Kind, ScoredGame},
    group_by::GroupBy,
    openings::LineGroups,
    tally::Tally,
};
use crate::{catalogue::Catalogue, chess::Color, select::GameInfo};

/// By what games are grouped, and what is kept of them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Grouping {
    /// One field, or two of which the second divides the groups of the first. None: all games are
    /// one group.
    pub by: Vec<GroupBy>,
    /// Whether the lengths of games are kept, for medians.
    pub lengths: Lengths,
    /// Whether example games are kept.
    pub examples: KeepExamples,
}

/// Whether the lengths of games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Lengths {
    /// They are.
    Kept,
    /// They are not, which takes less memory.
    Dropped,
}

/// Whether example games are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeepExamples {
    /// The last games won and lost of each group.
    Latest,
    /// None.
    Never,
}

impl Grouping {
    /// Groups by these fields, with medians and without examples.
    #[must_use]
    pub fn new(by: Vec<GroupBy>) -> Self {
        Self { by, lengths: Lengths::Kept, examples: KeepExamples::Never }
    }
}

/// Whose games are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Perspective<'p> {
    /// Everybody's: from White's side, and in groups of a side (colour, player, opponent) from
    /// both.
    Everybody,
    /// Those of chosen players, who have these colours in the game.
    Players(&'p [Color]),
}

/// What was not counted, or not in every column.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[non_exhaustive]
pub struct LeftOut {
    /// Games of other variants, which are not counted at all.
    pub variants: u64,
    /// Games without a result, which have no part in scores.
    pub without_result: u64,
    /// Games in which a rating is missing, of those with a result; they have no part in
    /// expectations.
    pub without_ratings: u64,
    /// Games without an opening.
    pub without_opening: u64,
    /// Games in which a name is missing, if they are grouped by players or opponents.
    pub without_player: u64,
}

impl LeftOut {
    fn merge(&mut self, other: Self) {
        self.variants += other.variants;
        self.without_result += other.without_result;
        self.without_ratings += other.without_ratings;
        self.without_opening += other.without_opening;
        self.without_player += other.without_player;
    }
}

/// Counts games in groups, for several groupings at once.
///
/// Counters of parts [merge](Self::merge) to that of the whole, in any order.
///
/// ```
/// use eco::{catalogue::Catalogue, classify::Classifier, pgn::games};
/// use eco::stats::{Counter, GroupBy, Grouping, Perspective, ScoredGame};
///
/// let catalogue = Catalogue::builtin();
/// let classifier = Classifier::new(catalogue);
/// let mut counter = Counter::new(catalogue, &[Grouping::new(vec![GroupBy::Eco])]);
/// let pgn = b"[Result \"1-0\"]\n\n1. e4 c5 1-0\n\n[Result \"0-1\"]\n\n1. e4 c5 0-1\n";
/// for game in games(pgn) {
///     let scored = ScoredGame::read(&classifier, &game);
///     counter.add(&scored, None, "games.pgn", Perspective::Everybody);
/// }
/// let by_eco = &counter.finish().breakdowns[0];
/// let group = &by_eco.groups[0];
/// assert_eq!(group.values[0].to_text(), "B20");
/// assert_eq!(group.name.as_deref(), Some("Sicilian Defense"));
/// assert_eq!((group.tally.games(), group.tally.score()), (2, Some(0.5)));
/// ```
#[derive(Debug, Clone)]
pub struct Counter {
    tables: Vec<Table>,
    /// The games of each line of the catalogue.
    lines: Vec<u64>,
    groups: Arc<OpeningGroups>,
    games: u64,
    left_out: LeftOut,
    needs_more_tags: bool,
    needs_names: bool,
}

/// The groups of lines that tables of openings need.
#[derive(Debug, Default)]
struct OpeningGroups {
    names: LineGroups,
    families: LineGroups,
}

/// What a [`Counter`] has counted.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Counted {
    /// The groups, in the order of the groupings.
    pub breakdowns: Vec<Breakdown>,
    /// The number of games, each once.
    pub games: u64,
    /// What was left out.
    pub left_out: LeftOut,
}

impl Counter {
    /// A counter that has seen no game. The games must be named by this catalogue.
    ///
    /// # Panics
    ///
    /// If a grouping has more than two fields.
    #[must_use]
    pub fn new(catalogue: &Catalogue, groupings: &[Grouping]) -> Self {
        assert!(groupings.iter().all(|g| g.by.len() <= 2), "one field or two are grouped by");
        let tables: Vec<Table> =
            groupings.iter().map(|grouping| Table::new(catalogue, grouping)).collect();
        let has_openings =
            groupings.iter().flat_map(|grouping| &grouping.by).any(GroupBy::is_opening);
        let groups = match has_openings {
            true => OpeningGroups {
                names: LineGroups::new(catalogue, &GroupBy::Opening),
                families: LineGroups::new(catalogue, &GroupBy::Family),
            },
            false => OpeningGroups::default(),
        };
        Self {
            needs_more_tags: tables.iter().any(Table::needs_more_tags),
            needs_names: groupings.iter().flat_map(|grouping| &grouping.by).any(GroupBy::is_name),
            tables,
            lines: vec![0; catalogue.lines().len()],
            groups: Arc::new(groups),
            games: 0,
            left_out: LeftOut::default(),
        }
    }

    /// Whether [`add`](Self::add) needs the tags of a game besides the game.
    #[must_use]
    pub fn needs_more_tags(&self) -> bool {
        self.needs_more_tags
    }

    /// A counter for the same groups that has seen no game.
    #[must_use]
    pub fn empty(&self) -> Self {
        Self {
            tables: self.tables.iter().map(Table::empty).collect(),
            lines: vec![0; self.lines.len()],
            groups: Arc::clone(&self.groups),
            games: 0,
            left_out: LeftOut::default(),
            needs_more_tags: self.needs_more_tags,
            needs_names: self.needs_names,
        }
    }

    /// The number of groups so far, by which memory grows.
    #[must_use]
    pub fn group_count(&self) -> usize {
        self.tables.iter().map(Table::size).sum()
    }

    /// The number of games so far.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games
    }

    /// Counts a game of a source. `info` are its tags, if they are
    /// [needed](Self::needs_more_tags).
    pub fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
    ) {
        if game.kind() == Kind::OtherVariant {
            self.left_out.variants += 1;
            return;
        }
        self.games += 1;
        match game.named {
            Some(named) => self.lines[named.line_index()] += 1,
            None => self.left_out.without_opening += 1,
        }
        let sample = game.sample(Color::White);
        self.left_out.without_result += u64::from(sample.outcome.is_none());
        let is_unrated = sample.outcome.is_some() && sample.ratings.is_none();
        self.left_out.without_ratings += u64::from(is_unrated);
        let is_nameless = Color::ALL.iter().any(|side| game.name(*side).is_none());
        self.left_out.without_player += u64::from(is_nameless && self.needs_names);
        for table in &mut self.tables {
            table.add(game, info, source, perspective);
        }
    }

    /// Adds the counts of another part.
    ///
    /// # Panics
    ///
    /// If the other counter has other groupings or another catalogue.
    pub fn merge(&mut self, other: Self) {
        assert_eq!(self.tables.len(), other.tables.len(), "both count the same");
        assert_eq!(self.lines.len(), other.lines.len(), "both have one catalogue");
        for (table, other) in self.tables.iter_mut().zip(other.tables) {
            table.merge(other);
        }
        for (games, more) in self.lines.iter_mut().zip(other.lines) {
            *games += more;
        }
        self.games += other.games;
        self.left_out.merge(other.left_out);
    }

    /// What was counted.
    #[must_use]
    pub fn finish(self) -> Counted {
        let Self { tables, lines, groups, games, left_out, .. } = self;
        let breakdowns = tables.into_iter().map(|table| table.finish(&groups, &lines)).collect();
        Counted { breakdowns, games, left_out }
    }
}

/// The groups of one grouping.
#[derive(Debug, Clone)]
struct Table {
    grouping: Grouping,
    axes: Vec<Axis>,
    /// The indices of the rows by the numbers of their values.
    index: HashMap<[u32; 2], u32>,
    rows: Vec<Row>,
    /// Whether games are counted from both sides.
    is_twofold: bool,
}

#[derive(Debug, Clone)]
struct Row {
    key: [u32; 2],
    tally: Tally,
    examples: Option<Box<Examples>>,
}

impl Table {
    fn new(catalogue: &Catalogue, grouping: &Grouping) -> Self {
        let axis = |by: &GroupBy| Axis::new(by.clone(), Arc::new(LineGroups::new(catalogue, by)));
        Self {
            axes: grouping.by.iter().map(axis).collect(),
            grouping: grouping.clone(),
            index: HashMap::default(),
            rows: Vec::new(),
            is_twofold: false,
        }
    }

    fn empty(&self) -> Self {
        Self {
            grouping: self.grouping.clone(),
            axes: self.axes.iter().map(Axis::empty).collect(),
            index: HashMap::default(),
            rows: Vec::new(),
            is_twofold: false,
        }
    }

    fn size(&self) -> usize {
        self.rows.len() + self.axes.iter().map(Axis::size).sum::<usize>()
    }

    fn needs_more_tags(&self) -> bool {
        self.grouping.examples == KeepExamples::Latest
            || self.axes.iter().any(|axis| axis.by.needs_more_tags())
    }

    fn add(
        &mut self,
        game: &ScoredGame<'_, '_>,
        info: Option<&GameInfo<'_>>,
        source: &str,
        perspective: Perspective<'_>,
    ) {
        let sides: &[Color] = match perspective {
            Perspective::Players(sides) => sides,
            Perspective::Everybody if self.axes.iter().any(|axis| axis.by.is_of_a_side()) => {
                self.is_twofold = true;
                &Color::ALL
            }
            Perspective::Everybody => &[Color::White],
        };
        let is_players = matches!(perspective, Perspective::Players(_));
        for side in sides {
            let mut key = [0; 2];
            for (place, axis) in key.iter_mut().zip(&mut self.axes) {
                *place = axis.id(game, *side, is_players, info);
            }
            let mut sample = game.sample(*side);
            if self.grouping.lengths == Lengths::Dropped {
                (sample.plies, sample.exit) = (None, None);
            }
            let keeps = self.grouping.examples == KeepExamples::Latest;
            let row = self.row(key);
            row.tally.add(&sample);
            if keeps {
                row.examples.get_or_insert_default().add(game, *side, source, info);
            }
        }
    }

    #[inline]
    fn row(&mut self, key: [u32; 2]) -> &mut Row {
        let next = self.rows.len();
        let at = *self.index.entry(key).or_insert(next as u32) as usize;
        if at == next {
            self.rows.push(Row { key, tally: Tally::default(), examples: None });
        }
        &mut self.rows[at]
    }

    fn merge(&mut self, other: Self) {
        self.is_twofold |= other.is_twofold;
        let axes = self.axes.iter_mut().zip(&other.axes);
        let translations: Vec<Translation> =
            axes.map(|(axis, other)| axis.translation(other)).collect();
        for row in other.rows {
            let mut key = row.key;
            for (place, translation) in key.iter_mut().zip(&translations) {
                *place = translation.id(*place);
            }
            let own = self.row(key);
            own.tally.merge(&row.tally);
            if let Some(examples) = row.examples {
                own.examples.get_or_insert_default().merge(*examples);
            }
        }
    }

    fn finish(self, groups: &OpeningGroups, lines: &[u64]) -> Breakdown {
        let values: Vec<_> = self.axes.iter().map(Axis::values).collect();
        let codes = self.axes.iter().position(|axis| axis.by == GroupBy::Eco);
        let innermost = || self.axes.iter().rposition(|axis| axis.by.is_opening());
        let codes = codes.or_else(innermost);
        let (names, families) = match codes.map(|at| self.axes[at].lines()) {
            Some(own) => {
                (own.commonest(&groups.names, lines), own.commonest(&groups.families, lines))
            }
            None => Default::default(),
        };
        let label = |of: &[Option<u32>], labels: &LineGroups, id: Option<usize>| {
            id.and_then(|id| *of.get(id)?).map(|id| labels.label(id).to_owned())
        };
        let group = |row: Row| {
            let id = codes.map(|at| row.key[at] as usize);
            Group {
                values: values.iter().zip(row.key).map(|(values, id)| values.value(id)).collect(),
                name: label(&names, &groups.names, id),
                family: label(&families, &groups.families, id),
                tally: row.tally,
                examples: row.examples.map(|examples| *examples).unwrap_or_default(),
            }
        };
        let mut found: Vec<Group> = self.rows.into_iter().map(group).collect();
        found.sort_by(|a, b| a.values.cmp(&b.values));
        // Different bytes may be the same text.
        found.dedup_by(|group, before| {
            let is_same = group.values == before.values;
            if is_same {
                before.tally.merge(&group.tally);
                before.examples.merge(std::mem::take(&mut group.examples));
            }
            is_same
        });
        Breakdown { is_twofold: self.is_twofold, ..Breakdown::new(self.grouping.by.clone(), found) }
    }
}
