//! `/eco/repertoires`: what repertoires say of a position.

use serde::Serialize;

use super::{objects::san_of, position::POSITION};
use crate::{
    chess::{Chess, UciMove},
    collection::MoveStats,
    pgn::nag_glyph,
    repertoire::{Book, Edge, NodeId, Note},
    web::{
        answer::Answer,
        asked_line::{AskedLine, key_of},
        fault::Fault,
        opened::Opened,
        parameters::Parameters,
        selection::{SELECTION, read_query},
    },
};

const OWN: [&str; 3] = ["collection", "name", "min-games"];

#[derive(Serialize)]
struct Reply<'a> {
    repertoires: Vec<RepertoireObject<'a>>,
}

#[derive(Serialize)]
struct RepertoireObject<'a> {
    name: &'a str,
    color: String,
    known: bool,
    own: bool,
    comment: Option<String>,
    moves: Vec<MoveObject>,
    missing: Vec<MissingObject>,
}

#[derive(Serialize)]
struct MoveObject {
    uci: String,
    san: String,
    prepared: bool,
    answered: bool,
    glyphs: Vec<String>,
    comment: Option<String>,
}

#[derive(Serialize)]
struct MissingObject {
    uci: String,
    san: String,
    games: u64,
}

/// What the repertoires say of a position, and what they lack.
pub(in crate::web) fn repertoires(
    parameters: &Parameters,
    opened: &Opened,
) -> Result<Answer, Fault> {
    parameters.check_names(&[&POSITION, &SELECTION, &OWN])?;
    let line = AskedLine::read(parameters)?;
    let mut query = read_query(parameters)?;
    opened.check_openings(&query.selection)?;
    query.reached = false;
    let min_games: u64 = parameters.whole("min-games")?.unwrap_or(1);
    let names: Vec<&str> = parameters.all("name").collect();
    if let Some(unknown) = names.iter().find(|name| !opened.has_repertoire(name)) {
        let there_is: Vec<&str> = opened.repertoires().iter().map(|r| r.name.as_str()).collect();
        let there_is = there_is.join(", ");
        return Err(Fault::not_found(format_args!(
            "no repertoire {unknown:?}; there is {there_is}"
        )));
    }
    let asked = opened.repertoires().iter();
    let mut asked =
        asked.filter(|info| names.is_empty() || names.contains(&info.name.as_str())).peekable();
    if asked.peek().is_none() {
        return Ok(Answer::json(&Reply { repertoires: Vec::new() }));
    }
    let collections: Vec<&str> = parameters.all("collection").collect();
    let played = opened.explorer(&collections)?.query(&key_of(line.end()), &query)?.moves;
    let played: Vec<MoveStats> =
        played.into_iter().filter(|stats| stats.score.games() >= min_games).collect();
    let object = |info| {
        let seen = Seen { book: &*opened.book(info)?, position: line.end() };
        Ok(seen.object(&info.name, &played))
    };
    let repertoires: Result<Vec<_>, Fault> = asked.map(object).collect();
    Ok(Answer::json(&Reply { repertoires: repertoires? }))
}

/// A position as a book sees it.
struct Seen<'a> {
    book: &'a Book,
    position: &'a Chess,
}

impl Seen<'_> {
    fn object<'n>(&self, name: &'n str, played: &[MoveStats]) -> RepertoireObject<'n> {
        let found = self.book.find(&key_of(self.position));
        let mut object = RepertoireObject {
            name,
            color: self.book.color().to_string(),
            known: found.is_some(),
            own: found.is_some_and(|id| self.book.is_own_turn(id)),
            comment: None,
            moves: Vec::new(),
            missing: Vec::new(),
        };
        if let Some(id) = found {
            object.comment = comment(self.book.node(id).notes());
            let moves = self.book.moves(id);
            object.moves =
                moves.iter().filter_map(|edge| self.move_object(edge, object.own)).collect();
            object.missing = self.missing(id, object.own, played);
        }
        object
    }

    fn move_object(&self, edge: &Edge, is_own: bool) -> Option<MoveObject> {
        let (san, _) = san_of(self.position, edge.uci())?;
        let notes = edge.prepared().map(|prepared| prepared.notes.as_slice()).unwrap_or_default();
        let glyphs = notes
            .iter()
            .flat_map(|note| &note.nags)
            .map(|nag| nag_glyph(*nag).into_owned())
            .collect();
        Some(MoveObject {
            uci: edge.uci().to_string(),
            san,
            prepared: edge.prepared().is_some(),
            answered: is_own || self.is_answered(edge.to()),
            glyphs,
            comment: comment(notes).or_else(|| comment(self.book.node(edge.to()).notes())),
        })
    }

    fn is_answered(&self, id: NodeId) -> bool {
        self.book.has_moves(id)
    }

    /// The moves of the games that the book has no answer to; where its side is to move and it has
    /// no move, all moves of the games.
    fn missing(&self, id: NodeId, is_own: bool, played: &[MoveStats]) -> Vec<MissingObject> {
        let answers = |uci: UciMove| {
            if is_own {
                return self.book.has_moves(id);
            }
            let Some((_, after)) = san_of(self.position, uci) else { return true };
            self.book.find(&key_of(&after)).is_some_and(|id| self.is_answered(id))
        };
        let missing = played.iter().filter(|stats| !answers(stats.uci));
        let object = |stats: &MoveStats| {
            let (san, _) = san_of(self.position, stats.uci)?;
            let games = stats.score.games();
            Some(MissingObject { uci: stats.uci.to_string(), san, games })
        };
        missing.filter_map(object).collect()
    }
}

fn comment(notes: &[Note]) -> Option<String> {
    let texts = notes.iter().map(|note| note.comment.as_str()).filter(|text| !text.is_empty());
    let text = texts.collect::<Vec<_>>().join(" ");
    (!text.is_empty()).then_some(text)
}
