//! The paths of an opponent through a book as games for a board.

use std::{collections::HashMap, sync::Arc};

use super::{Book, BookLine, Note, Prospect, Prospects};
use super::{
    OpponentGame, Preparation, PreparedChapter, PreparedSource, pgn_export::tags_of_event,
};
use crate::chess::{Chess, Position, PositionKey, UciMove};
use crate::classify::Classifier;

/// The most games of the opponent that a comment names.
const NAMED: usize = 5;

impl Prospects<'_> {
    /// The most probable paths as PGN, a game for each, at most this many: the moves with the notes
    /// of the book, after each move of the opponent its share, after the last of them his latest
    /// games with the position, and before the first move the probability of the path. The tags
    /// have the names of the opponent and of the player, and the opening.
    pub fn to_pgn(
        &self,
        opponent: &str,
        player: &str,
        classifier: Classifier<'_>,
        most: usize,
    ) -> String {
        let paths = self.all.iter().filter(|found| found.kind.is_path()).take(most);
        let met = paths.clone().filter_map(|path| self.last_met(path.line.as_ref()?));
        let games = self.opponent.games_at(met, !self.book.color());
        let event = format!("Preparation against {opponent}");
        let players =
            if self.book.color().is_white() { [player, opponent] } else { [opponent, player] };
        let chapter = |(number, path): (usize, &Prospect)| {
            let line = path.line.as_ref()?;
            let round = (number + 1).to_string();
            let mut tags = tags_of_event(&event, &round, players);
            if let Some(opening) = line.opening(self.book, classifier) {
                tags.push(("ECO".to_owned(), opening.code().to_owned()));
                tags.push(("Opening".to_owned(), opening.name().to_owned()));
            }
            let book = Arc::new(self.annotated(path, line, &games)?);
            let (study, name) = (String::new(), event.clone());
            Some(PreparedChapter { identity: round, study, name, tags, book })
        };
        let chapters: Vec<PreparedChapter> = paths.enumerate().filter_map(chapter).collect();
        Preparation::new(vec![PreparedSource { name: String::new(), chapters }]).to_pgn(&event)
    }

    /// The position after the last move of the opponent on a line.
    fn last_met(&self, line: &BookLine) -> Option<PositionKey> {
        let mut met = Vec::new();
        let last = line.play(self.book, |position, _| met.push(PositionKey::from(position)))?;
        met.push(PositionKey::from(&last));
        met.into_iter().skip(1).rfind(|key| key.turn() == self.book.color())
    }

    /// A path as a book of its own. `games` has the games of the opponent after his last move.
    fn annotated(
        &self,
        path: &Prospect,
        line: &BookLine,
        games: &HashMap<PositionKey, Vec<usize>>,
    ) -> Option<Book> {
        let mut position = self.book.position(line.root)?;
        let mut annotated = Book::new(self.book.color(), self.book.rule());
        let mut to = annotated.prepare_from(&position, []);
        let probability = format!("{}: {:.1} % of games", path.kind, 100.0 * path.probability);
        annotated.node_mut(to).notes.push(Note::of_comment("", probability.as_bytes()));
        let last = self.last_met(line);
        for uci in &line.moves {
            let m = uci.to_move(&position)?;
            let from = to;
            let mut notes = self.notes(&position, *uci);
            to = annotated.prepare_move(from, &position, m);
            position.play_unchecked(m);
            let met = last.filter(|key| *key == PositionKey::from(&position));
            notes.extend(met.and_then(|key| games.get(&key)).map(|games| self.named(games)));
            if let Some(kept) = annotated.move_notes_mut(from, *uci) {
                notes.into_iter().for_each(|note| note.merge_into(kept));
            }
        }
        Some(annotated)
    }

    /// What the book says of a move, and of a move of the opponent its share.
    fn notes(&self, position: &Chess, uci: UciMove) -> Vec<Note> {
        let Some(id) = self.book.find(&position.into()) else { return Vec::new() };
        let edge = self.book.node(id).edge(uci);
        let mut notes = edge.map_or_else(Vec::new, |edge| edge.notes().to_vec());
        if !self.book.is_own_turn(id) {
            let shares = self.habits.shares(id);
            let share = shares.iter().find(|(played, _)| *played == uci);
            let share = share.map(|(_, share)| format!("{:.1} %", 100.0 * share));
            notes.extend(share.map(|share| Note::of_comment("", share.as_bytes())));
        }
        notes
    }

    /// The latest of the opponent's games, with their results and dates.
    fn named(&self, games: &[usize]) -> Note {
        let games = games.iter().map(|number| &self.opponent.games()[*number]);
        let games = self.opponent.newest_first(games);
        let named = |game: &&OpponentGame| {
            let date = game.game.details().date.map(|date| format!(" {date}"));
            format!("{}{}", game.game.result().as_str(), date.unwrap_or_default())
        };
        let mut text: Vec<String> = games.iter().take(NAMED).map(named).collect();
        text.extend((games.len() > NAMED).then(|| format!("{} more", games.len() - NAMED)));
        Note::of_comment("", text.join(", ").as_bytes())
    }
}
