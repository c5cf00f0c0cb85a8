//! Groups of games, counted.
//!
//! There may be millions of groups. So each is kept as it was counted, its values are numbers of
//! values that stand in lists, and whoever looks at a group sees both together.

use std::sync::Arc;

use super::{
    game::Examples, grouping::GroupBy, key::GroupValue, openings::OpeningNames, tally::Tally,
};

/// The games of an archive in groups.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Breakdown {
    /// By what the games are grouped.
    pub by: Vec<GroupBy>,
    /// All groups together. Groups of a side count each game twice, and so do chosen players if
    /// they play each other.
    pub all: Tally,
    /// The groups, sorted by their values.
    pub(super) groups: Vec<CountedGroup>,
    /// Sorted values of each field.
    pub(super) values: Vec<Vec<GroupValue>>,
    /// Whether games are counted from both sides, in one group or in two.
    pub(super) is_twofold: bool,
}

/// A group with numbers instead of its values.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct CountedGroup {
    /// While games are counted, the numbers that axes give; then the places in the lists.
    pub(super) key: [u32; 2],
    pub(super) tally: Tally,
    pub(super) examples: Option<Box<Examples>>,
    /// Of openings.
    pub(super) names: Option<Arc<OpeningNames>>,
    /// Whether both sides of a game are in this group.
    pub(super) is_twofold: bool,
}

impl CountedGroup {
    pub(super) fn merge(&mut self, other: &mut Self) {
        self.tally.merge(&other.tally);
        self.is_twofold |= other.is_twofold;
        if let Some(examples) = other.examples.take() {
            self.examples.get_or_insert_default().merge(*examples);
        }
    }
}

/// The games of a group.
#[derive(Debug, Clone, Copy)]
pub struct Group<'b> {
    breakdown: &'b Breakdown,
    pub(super) counted: &'b CountedGroup,
}

impl<'b> Group<'b> {
    /// What they have in common, one value for each field.
    pub fn values(self) -> impl DoubleEndedIterator<Item = &'b GroupValue> {
        let lists = self.breakdown.values.iter().zip(&self.counted.key);
        lists.map(|(values, place)| &values[*place as usize])
    }

    /// What they have in common in the first field, and so on.
    ///
    /// # Panics
    ///
    /// If there are fewer fields.
    #[must_use]
    pub fn value(self, place: usize) -> &'b GroupValue {
        &self.breakdown.values[place][self.counted.key[place] as usize]
    }

    /// Of openings, the name of the catalogue's shortest line.
    #[must_use]
    pub fn name(self) -> Option<&'b str> {
        self.counted.names.as_ref()?.name.as_deref()
    }

    /// Of openings, the family of most of the games.
    #[must_use]
    pub fn family(self) -> Option<&'b str> {
        self.counted.names.as_ref()?.family.as_deref()
    }

    /// The games.
    #[must_use]
    pub fn tally(self) -> &'b Tally {
        &self.counted.tally
    }

    /// The last games won and lost, if they are kept.
    #[must_use]
    pub fn examples(self) -> Option<&'b Examples> {
        self.counted.examples.as_deref()
    }
}

impl Breakdown {
    /// Groups, which have keys.
    pub(super) fn new(
        by: Vec<GroupBy>,
        values: Vec<Vec<GroupValue>>,
        groups: Vec<CountedGroup>,
    ) -> Self {
        let all = sum(groups.iter());
        Self { by, all, groups, values, is_twofold: false }
    }

    /// Groups with their values, by which they are sorted.
    pub(super) fn of_values(
        by: Vec<GroupBy>,
        groups: impl IntoIterator<Item = (Vec<GroupValue>, CountedGroup)>,
    ) -> Self {
        let mut lists: Vec<Vec<GroupValue>> = vec![Vec::new(); by.len()];
        let keyed = groups.into_iter().map(|(values, mut group)| {
            for ((value, list), place) in values.into_iter().zip(&mut lists).zip(&mut group.key) {
                if list.last() != Some(&value) {
                    list.push(value);
                }
                *place = list.len() as u32 - 1;
            }
            group
        });
        let groups = keyed.collect();
        Self::new(by, lists, groups)
    }

    /// The groups, sorted by their values.
    pub fn groups(&self) -> impl Iterator<Item = Group<'_>> {
        self.groups.iter().map(|counted| self.group(counted))
    }

    pub(super) fn group<'b>(&'b self, counted: &'b CountedGroup) -> Group<'b> {
        Group { breakdown: self, counted }
    }
}

/// The games of several groups.
pub(super) fn sum<'g>(groups: impl Iterator<Item = &'g CountedGroup>) -> Tally {
    let mut all = Tally::default();
    groups.for_each(|group| all.merge(&group.tally));
    all
}
