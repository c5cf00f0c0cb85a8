//! Where games left a repertoire.

use super::html::{Html, Table, count, decimal, percent};
use crate::chess::Language;
use crate::repertoire::{Costs, Follower, ShortestLines, Status};

/// Where games left a repertoire.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Departures {
    /// The name of the repertoire.
    pub repertoire: String,
    /// Its colour: `white` or `black`.
    pub color: String,
    /// How the games ended their way through it, with the number of games: `mine`, `known mistake`
    /// if there are any, `theirs`, `book ended`, `completed`.
    pub games: Vec<(String, u64)>,
    /// The moves that left it, those that cost most first.
    pub moves: Vec<Departed>,
}

/// Games that left a repertoire with one move.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Departed {
    /// The moves to the position.
    pub line: String,
    /// Who left it: `mine`, `known mistake`, `theirs` or `book ended`.
    pub status: String,
    /// The move.
    pub played: String,
    /// The moves that the repertoire has there.
    pub book: Vec<String>,
    /// The games.
    pub games: u64,
    /// The score of the side of the repertoire, from 0 to 1.
    pub score: Option<f64>,
    /// The points that were to be expected, less those that were scored.
    pub cost: f64,
}

impl Departures {
    /// Where games that were followed left the book of a repertoire, by what that cost.
    pub fn new(repertoire: &str, follower: &Follower<'_>, costs: &Costs) -> Self {
        let book = follower.book;
        let lines = ShortestLines::of(book);
        let moves = costs.worst_first().into_iter().filter_map(|cost| {
            let node = book.node(cost.from);
            let mut line = lines.line(cost.from)?;
            let before = line.movetext(book)?;
            line.moves.push(cost.uci);
            Some(Departed {
                line: before,
                status: cost.status.to_string(),
                played: line.last_move(book)?.to_string(),
                book: node.san(book.moves(cost.from).iter().map(|edge| edge.uci)),
                games: u64::from(cost.tally.games),
                score: cost.tally.score(),
                cost: cost.points,
            })
        });
        let is_told = |status: &&Status| {
            **status != Status::Unmatched && status.counted(costs.games(**status)).is_some()
        };
        let games = Status::ALL.iter().filter(is_told);
        Self {
            repertoire: repertoire.to_owned(),
            color: book.color().to_string(),
            games: games.map(|status| (status.to_string(), costs.games(*status))).collect(),
            moves: moves.collect(),
        }
    }
}

impl Departures {
    pub(super) fn translate_moves(&mut self, language: Language) {
        for left in &mut self.moves {
            let moves = [&mut left.line, &mut left.played].into_iter().chain(&mut left.book);
            moves.for_each(|text| *text = language.translated(text));
        }
    }
}

/// This many moves are shown.
const SHOWN: usize = 30;

impl Departures {
    /// Writes them as a table.
    pub(super) fn write(&self, html: &mut Html) {
        let counts: Vec<String> = self
            .games
            .iter()
            .map(|(status, games)| format!("{} {status}", count(*games)))
            .collect();
        html.element("p", &[], |html| {
            html.text("Games as ");
            html.text(&self.color);
            html.text(" against the repertoire ");
            html.leaf("bdi", &[], &self.repertoire);
            html.text(&format!(": {}.", counts.join(", ")));
        });
        if self.moves.is_empty() {
            html.leaf("p", &[("class", "quiet")], "No game left it.");
            return;
        }
        let heads = ["after", "who", "move", "repertoire", "games", "score", "cost"];
        let mut table =
            Table::new("Moves that left the repertoire, the highest cost first", &heads);
        for left in self.moves.iter().take(SHOWN) {
            table.push(
                0,
                vec![
                    left.line.clone(),
                    left.status.clone(),
                    left.played.clone(),
                    left.book.join(", "),
                    count(left.games),
                    left.score.map(percent).unwrap_or_default(),
                    decimal(left.cost, 2),
                ],
            );
        }
        table.write_open(html);
        let more = self.moves.len().saturating_sub(SHOWN);
        let more =
            if more > 0 { format!(" {more} more are in --format json.") } else { String::new() };
        let note = format!(
            "Cost is the points to be expected, by the ratings and the average of all games that \
             followed the repertoire, less the points scored.{more}"
        );
        html.leaf("p", &[("class", "note")], &note);
    }
}
