//! Stands for the explorer of the store until that is there.

use std::collections::BTreeMap;

use super::asked_line::key_of;
use crate::{
    chess::{Chess, Color, Position, PositionKey, UciMove, read_fen},
    collection::*,
    pgn::{GameDate, games},
    select::*,
    store::StoreError,
};

#[derive(Debug)]
pub(super) struct CollectionInfo {
    pub(super) name: String,
    pub(super) games: u64,
    pub(super) counted_games: u64,
    pub(super) max_ply: u32,
    pub(super) dates: Option<(GameDate, GameDate)>,
}

#[derive(Debug, Default)]
pub(super) struct Explorer {
    games: Vec<KeptGame>,
}

fn text(game: &KeptGame, name: &str) -> String {
    String::from_utf8_lossy(game.tag(name).unwrap_or_default()).into_owned()
}

fn start_of(game: &KeptGame) -> Option<Chess> {
    match game.start() {
        GameStart::Initial => Some(Chess::default()),
        GameStart::SetUp => read_fen(game.tag("FEN")?).ok(),
        GameStart::Unknown => None,
    }
}

fn found(game: &KeptGame, uci: UciMove) -> FoundGame {
    let info = game.info();
    FoundGame {
        id: game.id(),
        collection: "games".into(),
        uci,
        names: [text(game, "White"), text(game, "Black")],
        ratings: [info.rating(Color::White), info.rating(Color::Black)],
        result: game.result(),
        date: info.date(),
        speed: info.speed(),
        rated: info.is_rated(),
        event: text(game, "Event"),
        link: info.link().map(std::borrow::Cow::into_owned),
    }
}

fn add(score: &mut Score, result: GameResult) {
    match result {
        GameResult::WhiteWins => score.white += 1,
        GameResult::BlackWins => score.black += 1,
        _ => score.draws += 1,
    }
}

impl Explorer {
    pub(super) fn of_pgn(_: &str, pgn: &[u8]) -> Self {
        let mut reader = KeptGameReader::new(Selection::default());
        Self { games: games(pgn).filter_map(|game| reader.read(&game)).collect() }
    }

    pub(super) fn infos(&self) -> Vec<CollectionInfo> {
        let dates: Vec<_> = self.games.iter().filter_map(|game| game.info().date()).collect();
        let n = self.games.len() as u64;
        vec![CollectionInfo {
            name: "games".into(),
            games: n,
            counted_games: n,
            max_ply: 50,
            dates: dates.iter().min().copied().zip(dates.iter().max().copied()),
        }]
    }

    pub(super) fn game(&self, id: GameId) -> Result<Option<KeptGame>, StoreError> {
        Ok(self.games.iter().find(|game| game.id() == id).cloned())
    }

    pub(super) fn players(
        &self,
        part: &str,
        limit: usize,
    ) -> Result<Vec<(String, u64)>, StoreError> {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for game in &self.games {
            for name in ["White", "Black"] {
                *counts.entry(text(game, name)).or_default() += 1;
            }
        }
        let part = part.to_lowercase();
        let mut found: Vec<_> =
            counts.into_iter().filter(|(n, _)| n.to_lowercase().contains(&part)).collect();
        found.sort_by_key(|(name, n)| (std::cmp::Reverse(*n), name.clone()));
        found.truncate(limit);
        Ok(found)
    }

    pub(super) fn query(
        &self,
        key: &PositionKey,
        query: &PositionQuery,
    ) -> Result<PositionStats, StoreError> {
        let mut stats = PositionStats::default();
        let mut moves: BTreeMap<String, MoveStats> = BTreeMap::new();
        let mut shown_games: Vec<FoundGame> = Vec::new();
        let mut months: BTreeMap<Month, Score> = BTreeMap::new();
        for game in &self.games {
            let info = game.info();
            if info.result() == GameResult::Unknown
                || query.selection.matches(&info, || None).is_none()
            {
                continue;
            }
            let ratings = [info.rating(Color::White), info.rating(Color::Black)];
            if !query.mean_ratings.is_empty() {
                let [Some(w), Some(b)] = ratings else { continue };
                if !query.mean_ratings.iter().any(|range| range.contains(&((w + b) / 2))) {
                    continue;
                }
            }
            let Some(mut position) = start_of(game) else { continue };
            if position != Chess::default() && !query.from_position {
                continue;
            }
            let mut last = None;
            for uci in game.moves() {
                if key_of(&position) == *key {
                    last = Some(uci);
                }
                position.play_unchecked(uci.to_move(&position).expect("it was read"));
            }
            if key_of(&position) == *key {
                add(&mut stats.ended, info.result());
                continue;
            }
            let Some(uci) = last else { continue };
            add(&mut stats.score, info.result());
            let shown = found(game, uci);
            let entry = moves.entry(uci.to_string()).or_insert_with(|| MoveStats {
                uci,
                score: Score::default(),
                rating: RatingSum::default(),
                opponent_rating: RatingSum::default(),
                half_points: 0,
                dates: None,
                only_game: None,
                reached: query.reached.then(Score::default),
            });
            add(&mut entry.score, info.result());
            let mover = usize::from(key.turn().is_black());
            if let Some(r) = ratings[mover] {
                entry.rating.games += 1;
                entry.rating.sum += u64::from(r);
            }
            if let Some(r) = ratings[1 - mover] {
                entry.opponent_rating.games += 1;
                entry.opponent_rating.sum += u64::from(r);
                entry.half_points += match (info.result(), mover) {
                    (GameResult::Draw, _) => 1,
                    (GameResult::WhiteWins, 0) | (GameResult::BlackWins, 1) => 2,
                    _ => 0,
                };
            }
            if let Some(date) = info.date() {
                let (a, b) = entry.dates.unwrap_or((date, date));
                entry.dates = Some((a.min(date), b.max(date)));
                let number = date.number();
                if query.history && number / 100 % 100 > 0 {
                    let month =
                        Month { year: (number / 10000) as u16, month: (number / 100 % 100) as u8 };
                    add(months.entry(month).or_default(), info.result());
                }
            }
            entry.only_game = (entry.score.games() == 1).then(|| shown.clone());
            shown_games.push(shown);
        }
        stats.moves = moves.into_values().collect();
        stats.moves.sort_by_key(|m| std::cmp::Reverse(m.score.games()));
        let mean = |g: &FoundGame| g.ratings[0].zip(g.ratings[1]).map(|(a, b)| (a + b) / 2);
        let mut found = shown_games;
        found.sort_by_key(|g| std::cmp::Reverse((mean(g), g.date)));
        let rest = found.split_off(query.top_games.min(found.len()));
        stats.top_games = found;
        stats.recent_games = rest;
        stats.recent_games.sort_by_key(|g| std::cmp::Reverse(g.date));
        stats.recent_games.truncate(query.recent_games);
        stats.history =
            months.into_iter().map(|(month, score)| MonthStats { month, score }).collect();
        Ok(stats)
    }
}
