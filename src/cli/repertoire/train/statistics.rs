//! How far a repertoire is learned.

use eco::{
    output::{Row, percent, repertoire::TrainedRow},
    store::{Database, RepertoireInfo},
    training::{Moment, Progress},
};

use super::{deck::deck, remarks::in_days};
use crate::cli::{
    outcome::{Failure, Outcome, say},
    rows::RowArgs,
};

/// Prints the hardest positions, and on standard error how much is learned and due.
pub(super) fn run(
    database: &Database,
    info: &RepertoireInfo,
    now: Moment,
    rows: &RowArgs,
    limit: usize,
) -> Result<Outcome, Failure> {
    let deck = deck(database, info)?;
    let mut progress = Progress::of(&deck, &database.training_reviews(&info.name)?, now);
    let summary = summary(&progress, now);
    if limit > 0 {
        progress.cards.truncate(limit);
    }
    let hardest = TrainedRow::all(&deck, &progress.cards, now);
    rows.write_all(TrainedRow::columns(), hardest)?;
    summary.iter().for_each(|line| say(line));
    Ok(Outcome::Done)
}

/// How much is learned and due, and how well it was remembered.
fn summary(progress: &Progress, now: Moment) -> [String; 2] {
    let Progress { positions, new, due, departures, reviews, .. } = progress;
    let begun = progress.cards.iter().filter(|card| card.right == 0).count();
    let learned = positions - new - begun;
    let begun = if begun > 0 { format!("{begun} begun, ") } else { String::new() };
    let counts = format!("{learned} learned, {begun}{new} new, {due} due");
    let mut parts = vec![format!("{positions} positions: {counts}")];
    parts.extend((*departures > 0).then(|| format!("{departures} where games left the book")));
    parts.extend(
        progress.next_due.map(|next| format!("the next one is due {}", in_days(next, now))),
    );
    let of = progress.recalls;
    let retention = progress.retention().map_or_else(
        || "none of them a day after another".to_owned(),
        |share| format!("{} of {of} right a day or more after the one before", percent(share)),
    );
    [parts.join(", "), format!("{reviews} answers, {retention}")]
}
