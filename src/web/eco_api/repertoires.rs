//! `/eco/repertoires`: what repertoires say of a position.

use std::collections::BTreeMap;

use serde::Serialize;

use super::position::POSITION;
use crate::chess::{Chess, PositionKey, UciMove};
use crate::repertoire::{Book, Edge, NodeId, Note};
use crate::web::answer::{Answer, Fault};
use crate::web::line::{PlayedMove, line_of};
use crate::web::request::{self, Parameters, Request};
use crate::{collection::MoveStats, diagram::drawn_words, pgn, store::RepertoireInfo};

const OWN: [&str; 3] = ["collection", "name", "min-games"];

#[derive(Serialize)]
struct RepertoireObject<'a> {
    name: &'a str,
    color: String,
    known: bool,
    own: bool,
    comment: Option<String>,
    /// What its comments draw: `Gc2c4`, `Rd5`.
    shapes: Vec<String>,
    /// The move of the line that leads there, if the repertoire prepares it.
    last: Option<LastObject>,
    moves: Vec<MoveObject>,
    missing: Vec<MissingObject>,
}

#[derive(Serialize)]
struct MoveObject {
    uci: String,
    san: String,
    prepared: bool,
    /// Whether it is a move of the repertoire that is no answer.
    mistake: bool,
    answered: bool,
    glyphs: Vec<String>,
    comment: Option<String>,
}

#[derive(Serialize)]
struct LastObject {
    main: bool,
    mistake: bool,
    comment: Option<String>,
}

#[derive(Serialize)]
struct MissingObject {
    uci: String,
    san: String,
    games: u64,
}

/// What the repertoires say of a position, and what they lack.
pub(in crate::web) fn repertoires(request: &Request<'_>) -> Result<Answer, Fault> {
    let (parameters, database) = (&request.parameters, request.database);
    parameters.check_names(&[&POSITION, &request::SELECTION, &OWN])?;
    let line = line_of(parameters)?;
    let mut query = request::read_query(parameters)?;
    database.understand_openings(&mut query.selection)?;
    let min_games: u64 = parameters.whole("min-games")?.unwrap_or(1);
    let infos = named_repertoires(parameters, &database.repertoires)?;
    let last = line.steps().last();
    let last = last.map(|(before, m, _)| (PositionKey::from(before), UciMove::from_move(m)));
    let mut repertoires = Vec::new();
    if !infos.is_empty() {
        let mut played = request.named_explorer()?.query(&line.end().into(), &query)?.moves;
        played.retain(|stats| stats.score.games() >= min_games);
        for info in infos {
            let seen = Seen { book: &*database.book(info)?, position: line.end(), last };
            repertoires.push(seen.object(&info.name, &played));
        }
    }
    Ok(Answer::json(&BTreeMap::from([("repertoires", repertoires)])))
}

/// The repertoires with one of the names that are asked for; all of them, if none is.
pub(super) fn named_repertoires<'a>(
    parameters: &Parameters,
    all: &'a [RepertoireInfo],
) -> Result<Vec<&'a RepertoireInfo>, Fault> {
    let names: Vec<&str> = parameters.all("name").collect();
    let is_known = |name: &str| all.iter().any(|info| info.name == name);
    if let Some(unknown) = names.iter().find(|name| !is_known(name)) {
        let there_is = all.iter().map(|info| info.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(Fault::not_found(format_args!(
            "no repertoire '{unknown}'; there is {there_is}"
        )));
    }
    let is_asked = |info: &&RepertoireInfo| names.is_empty() || names.contains(&info.name.as_str());
    Ok(all.iter().filter(is_asked).collect())
}

/// A position as a book sees it.
struct Seen<'a> {
    book: &'a Book,
    position: &'a Chess,
    /// The position before it, and the move that was played there.
    last: Option<(PositionKey, UciMove)>,
}

impl Seen<'_> {
    fn object<'n>(&self, name: &'n str, played: &[MoveStats]) -> RepertoireObject<'n> {
        let found = self.book.find(&PositionKey::from(self.position));
        let own = found.is_some_and(|id| self.book.is_own_turn(id));
        let notes = found.map(|id| self.notes(id)).unwrap_or_default();
        let moves = found.into_iter().flat_map(|id| {
            let moves = self.book.shown_moves(id).into_iter();
            moves.filter_map(move |edge| self.move_object(id, edge))
        });
        RepertoireObject {
            name,
            color: self.book.color().to_string(),
            known: found.is_some(),
            own,
            comment: comment(&notes),
            shapes: shapes(&notes),
            last: self.last_object(),
            moves: moves.collect(),
            missing: found.map(|id| self.missing(id, own, played)).unwrap_or_default(),
        }
    }

    fn move_object(&self, id: NodeId, edge: &Edge) -> Option<MoveObject> {
        let san = PlayedMove::from_uci(self.position, edge.uci)?.san;
        let notes = edge.notes();
        let glyphs = notes
            .iter()
            .flat_map(|note| &note.nags)
            .map(|nag| pgn::nag_glyph(*nag).into_owned())
            .collect();
        Some(MoveObject {
            uci: edge.uci.to_string(),
            san,
            prepared: edge.prepared().is_some(),
            mistake: self.book.is_mistake(id, edge),
            answered: self.book.is_own_turn(id) || self.book.has_moves(edge.to),
            glyphs,
            comment: comment(notes).or_else(|| comment(&self.book.node(edge.to).notes)),
        })
    }

    /// The last move of the line, in the position before it.
    fn last_edge(&self) -> Option<(NodeId, &Edge)> {
        let (before, uci) = self.last?;
        let id = self.book.find(&before)?;
        Some((id, self.book.node(id).edge(uci)?))
    }

    fn last_object(&self) -> Option<LastObject> {
        let (id, edge) = self.last_edge().filter(|(_, edge)| edge.prepared().is_some())?;
        let first = self.book.shown_moves(id).first().map(|first| first.uci);
        Some(LastObject {
            main: first == Some(edge.uci),
            mistake: self.book.is_mistake(id, edge),
            comment: comment(edge.notes()),
        })
    }

    /// What the book says of the position, and of the move of the line that leads there.
    fn notes(&self, id: NodeId) -> Vec<Note> {
        let last = self.last_edge().map(|(_, edge)| edge.notes()).unwrap_or_default();
        [last, &self.book.node(id).notes].concat()
    }

    /// The moves of the games that the book has no answer to; where its side is to move and it has
    /// no move, all moves of the games.
    fn missing(&self, id: NodeId, is_own: bool, played: &[MoveStats]) -> Vec<MissingObject> {
        let answers = |uci: UciMove| {
            if is_own {
                return self.book.has_moves(id);
            }
            let Some(played) = PlayedMove::from_uci(self.position, uci) else { return true };
            self.book
                .find(&PositionKey::from(&played.after))
                .is_some_and(|id| self.book.has_moves(id))
        };
        let missing = played.iter().filter(|stats| !answers(stats.uci));
        let object = |stats: &MoveStats| {
            let san = PlayedMove::from_uci(self.position, stats.uci)?.san;
            let games = stats.score.games();
            Some(MissingObject { uci: stats.uci.to_string(), san, games })
        };
        missing.filter_map(object).collect()
    }
}

fn comment(notes: &[Note]) -> Option<String> {
    let text = Note::all_words(notes).join(" ");
    (!text.is_empty()).then_some(text)
}

/// What comments draw, as they write it.
fn shapes(notes: &[Note]) -> Vec<String> {
    notes.iter().flat_map(|note| drawn_words(&note.comment)).map(str::to_owned).collect()
}
