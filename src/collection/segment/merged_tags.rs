//! The tags of games of several segments, with the dictionaries of one.

use std::sync::Arc;

use hashbrown::HashMap;

use super::bytes::{DamagedSegment, push_number, push_string};
use super::dictionary::{Dictionary, Interner};
use super::tag_columns::{
    ColumnNames, FormTag, TAGS_A_FRAME, TagParts, TagsFrame, ValueSource, push_form_tag, read_form,
};

/// The dictionaries of the tags of a segment.
pub(super) struct TagDictionaries {
    pub(super) forms: Arc<Dictionary>,
    /// By column; `None` where values are kept as they are.
    pub(super) columns: Vec<Option<Arc<Dictionary>>>,
}

impl TagDictionaries {
    fn column(&self, column: usize) -> Option<&Dictionary> {
        self.columns.get(column)?.as_deref()
    }
}

/// The number of a new form, and for each of its values the new column and the old one.
type RenamedForm = (u32, Vec<(usize, usize)>);

/// How games with a form are written.
struct Plan {
    form: u32,
    /// For each value the new column, and how the value is found.
    values: Vec<(usize, Value)>,
}

enum Value {
    /// By its new number in the dictionary: these are the numbers by the old ones.
    Renumbered(Arc<Vec<u32>>),
    /// As it is, from the dictionary of this old column.
    Spelled(usize),
    /// As it is.
    Same,
}

/// Writes the tags of games of several segments.
pub(super) struct MergedTags<'s> {
    sources: &'s [TagDictionaries],
    pub(super) forms: Dictionary,
    /// By column; `None` where values are kept as they are.
    pub(super) columns: Vec<Option<Dictionary>>,
    /// By segment and form.
    plans: Vec<Vec<Plan>>,
    /// The frame that is not full yet, and the number of its games.
    next: TagParts,
    games: usize,
}

const NO_VALUE: DamagedSegment = DamagedSegment::new("a tag has no value");

impl<'s> MergedTags<'s> {
    /// Prepares to write the games of these segments. A column has a dictionary if it has one in
    /// each segment that has the column.
    pub(super) fn new(sources: &'s [TagDictionaries]) -> Result<Self, DamagedSegment> {
        let (mut names, mut forms) = (ColumnNames::default(), Interner::default());
        // The old columns that the new ones are from.
        let mut from: Vec<Vec<(usize, usize)>> = Vec::new();
        let mut renamed: Vec<Vec<RenamedForm>> = Vec::new();
        for (index, source) in sources.iter().enumerate() {
            let mut plans = Vec::new();
            for (form, games) in source.forms.iter() {
                let (mut new, mut columns) = (Vec::new(), Vec::new());
                for tag in read_form(form) {
                    let mut tag: FormTag<'_> = tag?;
                    if tag.source != ValueSource::Facts {
                        let old = std::mem::replace(&mut tag.column, names.column_of(tag.name));
                        from.resize_with(from.len().max(tag.column + 1), Vec::new);
                        if !from[tag.column].contains(&(index, old)) {
                            from[tag.column].push((index, old));
                        }
                        columns.push((tag.column, old));
                    }
                    push_form_tag(&mut new, &tag);
                }
                plans.push((forms.add_times(&new, games), columns));
            }
            renamed.push(plans);
        }
        let (forms, form_numbers) = forms.sorted();
        let mut numbers = HashMap::new();
        let columns: Vec<_> =
            (0..).zip(&from).map(|(new, from)| join(sources, new, from, &mut numbers)).collect();
        let plan = |index: usize, (form, values): RenamedForm| {
            let value = |(new, old): (usize, usize)| {
                let value = match (numbers.get(&(index, old, new)), sources[index].column(old)) {
                    (Some(numbers), _) => Value::Renumbered(Arc::clone(numbers)),
                    (None, Some(_)) => Value::Spelled(old),
                    (None, None) => Value::Same,
                };
                (new, value)
            };
            let form = form_numbers[form as usize];
            Plan { form, values: values.into_iter().map(value).collect() }
        };
        let plans = renamed.into_iter().enumerate();
        let plans = plans
            .map(|(index, plans)| plans.into_iter().map(|of_form| plan(index, of_form)).collect())
            .collect();
        Ok(Self { sources, forms, columns, plans, next: TagParts::default(), games: 0 })
    }

    /// Adds the tags of a game of a segment, and returns the parts of a frame that is full.
    pub(super) fn push(
        &mut self,
        source: usize,
        frame: &TagsFrame,
        index: usize,
    ) -> Result<Option<TagParts>, DamagedSegment> {
        let form = frame.forms.get(index).and_then(|form| self.plans[source].get(*form as usize));
        let plan = form.ok_or(DamagedSegment::new("a game has no tags"))?;
        let next = &mut self.next;
        next.columns.resize_with(self.columns.len(), Vec::new);
        push_number(&mut next.forms, u64::from(plan.form));
        let mut values = frame.values.get(index).iter();
        for (column, value) in &plan.values {
            let (out, number) = (&mut next.columns[*column], *values.next().ok_or(NO_VALUE)?);
            match value {
                Value::Renumbered(numbers) => {
                    let number = numbers.get(number as usize).ok_or(NO_VALUE)?;
                    push_number(out, u64::from(*number));
                }
                Value::Spelled(old) => {
                    let texts = self.sources[source].column(*old).ok_or(NO_VALUE)?;
                    push_string(out, texts.text(number));
                }
                Value::Same => push_string(out, frame.texts.get(number as usize)),
            }
        }
        self.games += 1;
        Ok(if self.games == TAGS_A_FRAME { self.rest() } else { None })
    }

    /// The parts of the last frame, if any game is left.
    pub(super) fn rest(&mut self) -> Option<TagParts> {
        (std::mem::take(&mut self.games) > 0).then(|| std::mem::take(&mut self.next))
    }
}

/// The dictionary of a new column, if it has one, from these old ones; adds the new numbers by the
/// old ones, for each segment, old column and new column.
fn join(
    sources: &[TagDictionaries],
    new: usize,
    from: &[(usize, usize)],
    numbers: &mut HashMap<(usize, usize, usize), Arc<Vec<u32>>>,
) -> Option<Dictionary> {
    let texts = from.iter().map(|(index, old)| Some(sources[*index].column(*old)?.iter()));
    let (dictionary, renumbered) = Dictionary::join(texts.collect::<Option<Vec<_>>>()?);
    for ((index, old), renumbered) in from.iter().zip(renumbered) {
        numbers.insert((*index, *old, new), Arc::new(renumbered));
    }
    Some(dictionary)
}
