//! `/eco/gaps`: the moves of the opponent that a repertoire does not answer.

use std::collections::BTreeMap;

use serde::Serialize;

use super::repertoires::named_repertoires;
use crate::repertoire::{Book, Frequencies, Gap, Gaps};
use crate::web::answer::{Answer, Fault};
use crate::{classify::Classifier, output::in_percent, web::line::fen_of, web::request::Request};

/// Gaps are searched to this ply, as by `eco repertoire gaps`.
const DEPTH: usize = 20;

/// More are not listed.
const MOST: usize = 50;

#[derive(Serialize)]
struct GapsObject<'a> {
    name: &'a str,
    color: String,
    /// The share of games that meet no gap, in percent.
    coverage: f64,
    /// The number of gaps, of which the most probable are listed.
    count: usize,
    gaps: Vec<GapObject>,
}

#[derive(Serialize)]
struct GapObject {
    /// The position that the line begins in.
    start: String,
    /// Its moves in UCI notation.
    moves: Vec<String>,
    line: String,
    /// The share of games that come there, in percent.
    met: f64,
    games: u32,
    eco: Option<String>,
    opening: Option<String>,
}

/// The gaps of each repertoire that is named, or of all.
pub(in crate::web) fn gaps(request: &Request<'_>) -> Result<Answer, Fault> {
    let (parameters, database) = (&request.parameters, request.database);
    parameters.check_names(&[&["name"]])?;
    let classifier = Classifier::new(request.catalogue);
    let mut all = Vec::new();
    for info in named_repertoires(parameters, &database.repertoires)? {
        let book = database.book(info)?;
        let has_games = database.collections.iter().any(|collection| collection.games > 0);
        let replies = || Ok::<_, Fault>(database.explorer(&[])?.replies(&book)?);
        let counts = (!book.has_counts() && has_games).then(replies).transpose()?;
        let frequencies = counts.as_ref().map_or(Frequencies::Own, Frequencies::Reference);
        let found = Gaps::of(&book, frequencies, DEPTH);
        let listed = found.gaps.iter().take(MOST);
        all.push(GapsObject {
            name: &info.name,
            color: info.color.to_string(),
            coverage: in_percent(found.coverage),
            count: found.gaps.len(),
            gaps: listed.filter_map(|gap| GapObject::new(&book, gap, classifier)).collect(),
        });
    }
    Ok(Answer::json(&BTreeMap::from([("repertoires", all)])))
}

impl GapObject {
    fn new(book: &Book, gap: &Gap, classifier: Classifier<'_>) -> Option<Self> {
        let opening = gap.line.opening(book, classifier);
        Some(Self {
            start: fen_of(&book.position(gap.line.root)?),
            moves: gap.line.moves.iter().map(ToString::to_string).collect(),
            line: gap.line.movetext(book)?,
            met: in_percent(gap.probability),
            games: gap.tally.games,
            eco: opening.map(|opening| opening.code().to_owned()),
            opening: opening.map(|opening| opening.name().to_owned()),
        })
    }
}
