//! What is kept of the training of a repertoire: a log of answers, and the card that follows from
//! those for each position.

use std::path::{Path, PathBuf};
use std::{collections::HashSet, sync::Arc};

use rusqlite::{OpenFlags, Params, Row, Transaction, TransactionBehavior};
use rusqlite::{params, types::Type};

use crate::chess::{PositionKey, UciMove};
use crate::repertoire::{Book, LineScores, MoveCounts, PreparedChapter};
use crate::store::rows::Parsed;
use crate::store::{Database, Explorer, InFile, RepertoireInfo, StoreError};
use crate::training::{
    Card, Deck, Memory, Moment, Outlook, Pause, Rating, Review, Scheduler, Today,
};

/// Repertoires of a file that are being trained together: what is known of them is read, and
/// answers are kept. A repertoire is meant by its number among them.
#[derive(Debug)]
pub struct TrainingLog {
    path: PathBuf,
    database: Database,
    repertoires: Vec<String>,
    scheduler: Scheduler,
}

/// An answer that was taken back.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct TakenBack {
    /// The number of its repertoire.
    pub deck: usize,
    /// The answer.
    pub review: Review,
    /// The card that follows from those before it; `None` if there is none.
    pub card: Option<Card>,
}

impl TrainingLog {
    /// Opens repertoires for training.
    ///
    /// # Errors
    ///
    /// If there is no such file or repertoire, or the file cannot be written. Nothing is written
    /// then.
    pub fn open<S: AsRef<str>>(path: &Path, repertoires: &[S]) -> Result<Self, StoreError> {
        let repertoires: Vec<String> = repertoires.iter().map(|s| s.as_ref().to_owned()).collect();
        let database = Database::open(path)?;
        for name in &repertoires {
            database.repertoire(name)?;
        }
        let database = Database::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // SQLite opens a file that cannot be written for reading, and says nothing.
        if database.connection.is_readonly("main").in_file(&database.name)? {
            let (name, source) = (database.name, "it is read-only".into());
            return Err(StoreError::CannotWrite { name, source });
        }
        let scheduler = Scheduler::default();
        Ok(Self { path: path.to_owned(), database, repertoires, scheduler })
    }

    fn info(&self, number: usize) -> Result<RepertoireInfo, StoreError> {
        self.database.repertoire(&self.repertoires[number])
    }

    /// The [deck](Database::training_deck) of a repertoire. If it has no games, the opponent's
    /// moves are as frequent as in the collections of the file.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire any more, the file cannot be read, or it is damaged.
    ///
    /// # Panics
    ///
    /// If there is no repertoire of this number. The other functions with a number panic alike.
    pub fn deck(&self, number: usize, now: Moment) -> Result<Deck, StoreError> {
        let deck = self.database.training_deck(&self.repertoires[number], now)?;
        let replies = if deck.book().has_counts() { None } else { self.replies(deck.book())? };
        Ok(match replies {
            Some(replies) => deck.with_replies(Arc::new(replies)),
            None => deck,
        })
    }

    /// What the collections of the file played against a book; `None` if there is none.
    fn replies(&self, book: &Book) -> Result<Option<MoveCounts>, StoreError> {
        let explorer = Explorer::open(&self.path, &[])?;
        let has_games = explorer.collections()?.iter().any(|collection| collection.games > 0);
        has_games.then(|| explorer.replies(book)).transpose()
    }

    /// The file.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// The names of the repertoires.
    pub fn repertoires(&self) -> &[String] {
        &self.repertoires
    }

    /// Keeps an answer, in one transaction, and returns the card that follows from it.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire any more, or the file cannot be written. It is then what it
    /// was.
    pub fn record(&mut self, number: usize, review: &Review) -> Result<Card, StoreError> {
        let info = self.info(number)?;
        let scheduler = &self.scheduler;
        self.database.in_transaction(|database| {
            let condition = "repertoire_id = ?1 AND key = ?2";
            let values = params![info.id, review.key.to_string()];
            let known = database.cards_where(condition, values)?.pop();
            let review = Review { is_first: review.is_first || known.is_none(), ..review.clone() };
            let card = scheduler.review(known.as_ref(), &review);
            database.write_review(&info, &review)?;
            database.write_card(&info, &card)?;
            Ok(card)
        })
    }

    /// Takes back the last answer of today for one of the repertoires, whichever session it was
    /// given in. `None` if there is none.
    ///
    /// # Errors
    ///
    /// As for [`record`](Self::record).
    pub fn take_back(&mut self, now: Moment) -> Result<Option<TakenBack>, StoreError> {
        let numbers = 0..self.repertoires.len();
        let infos = numbers.map(|number| self.info(number)).collect::<Result<Vec<_>, _>>()?;
        let (scheduler, since) = (&self.scheduler, now.start_of_today().seconds());
        self.database.in_transaction(|database| {
            let mut last = None;
            for (deck, info) in infos.iter().enumerate() {
                let sql = "SELECT max(id) FROM training_review
                     WHERE repertoire_id = ?1 AND reviewed_at >= ?2";
                let ids: Vec<Option<i64>> =
                    database.rows(sql, params![info.id, since], |row| row.get(0))?;
                last = last.max(ids.into_iter().flatten().next().map(|id| (id, deck)));
            }
            let Some((id, deck)) = last else { return Ok(None) };
            let Some(review) = database.reviews_where("id = ?1", [id])?.pop() else {
                return Ok(None);
            };
            database.execute("DELETE FROM training_review WHERE id = ?1", [id])?;
            let (info, key) = (&infos[deck], review.key.to_string());
            let (of_key, values) = ("repertoire_id = ?1 AND key = ?2", params![info.id, key]);
            let card = scheduler.replay(&database.reviews_where(of_key, values)?);
            match &card {
                Some(card) => database.write_card(info, card)?,
                None => {
                    let sql = "DELETE FROM training_card WHERE repertoire_id = ?1 AND key = ?2";
                    database.execute(sql, values)?;
                }
            }
            Ok(Some(TakenBack { deck, review, card }))
        })
    }

    /// Asks a position no more for a while; pauses that have ended are forgotten.
    ///
    /// # Errors
    ///
    /// As for [`record`](Self::record).
    pub fn pause(&mut self, number: usize, pause: Pause, now: Moment) -> Result<(), StoreError> {
        let info = self.info(number)?;
        let ended = self.database.training_pauses(&info.name)?;
        self.database.in_transaction(|database| {
            for ended in ended.iter().filter(|pause| !pause.lasts(now)) {
                database.delete_pause(&info, ended)?;
            }
            let sql = "INSERT OR REPLACE INTO training_pause (repertoire_id, key, until)
                 VALUES (?1, ?2, ?3)";
            let until = pause.until.map(Moment::seconds);
            database.execute(sql, params![info.id, pause.key.to_string(), until]).map(drop)
        })
    }

    /// Asks positions of a deck again that were paused, and returns the number of their pauses.
    ///
    /// # Errors
    ///
    /// As for [`record`](Self::record).
    pub fn resume(&mut self, number: usize, deck: &Deck) -> Result<usize, StoreError> {
        let info = self.info(number)?;
        let mut pauses = self.database.training_pauses(&info.name)?;
        pauses.retain(|pause| deck.has(&pause.key));
        self.database.in_transaction(|database| {
            pauses.iter().try_for_each(|pause| database.delete_pause(&info, pause))
        })?;
        Ok(pauses.len())
    }
}

impl Database {
    /// What comes next in decks of these repertoires, with cards and pauses as the file has them
    /// now.
    ///
    /// # Errors
    ///
    /// As for [`training_deck`](Self::training_deck).
    pub fn training_outlook<S: AsRef<str>>(
        &self,
        decks: &[Deck],
        repertoires: &[S],
        now: Moment,
    ) -> Result<Outlook, StoreError> {
        let mut all = Outlook::default();
        for (deck, name) in decks.iter().zip(repertoires.iter().map(AsRef::as_ref)) {
            let deck = deck.with_cards(self.training_cards(name)?);
            let deck = deck.with_pauses(&self.training_pauses(name)?, now);
            all.add(&deck, now);
        }
        Ok(all)
    }

    /// The positions of a repertoire with what is known of them, pauses aside. If nothing is
    /// prepared, [poor moves](Deck::without_poor_moves) are left out.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_deck(&self, repertoire: &str, now: Moment) -> Result<Deck, StoreError> {
        let info = self.repertoire(repertoire)?;
        let book = self.book_by(&info.name, info.rule)?;
        let deck = Deck::new(Arc::new(book), self.training_cards(&info.name)?);
        let deck = deck.with_today(self.asked_since(&info, now.start_of_today())?);
        if deck.book().has_prepared() {
            return Ok(deck);
        }
        let scores = self.line_scores(&info, deck.book())?;
        Ok(deck.without_poor_moves(&scores))
    }

    /// How the moves of a book of a repertoire scored in its games, beside what ratings predict.
    ///
    /// # Errors
    ///
    /// If the file cannot be read, or it is damaged.
    pub fn line_scores(
        &self,
        info: &RepertoireInfo,
        book: &Book,
    ) -> Result<LineScores, StoreError> {
        let mut scores = LineScores::default();
        if let Some(games) = self.games_of(info)? {
            self.kept_games(&games, &mut |game| {
                scores.add(book, &game.cut_at(info.max_ply as usize));
            })?;
        }
        Ok(scores)
    }

    /// The positions that were asked since a moment.
    fn asked_since(&self, info: &RepertoireInfo, since: Moment) -> Result<Today, StoreError> {
        let sql = "SELECT DISTINCT key, NOT EXISTS (
                 SELECT 1 FROM training_review AS before
                 WHERE before.repertoire_id = ?1 AND before.key = review.key
                     AND before.reviewed_at < ?2)
             FROM training_review AS review WHERE repertoire_id = ?1 AND reviewed_at >= ?2";
        let mut today = Today::default();
        let asked = self.rows(sql, params![info.id, since.seconds()], |row| {
            Ok((row.get::<_, Parsed<PositionKey>>(0)?.0, row.get::<_, bool>(1)?))
        })?;
        for (key, is_learned) in asked {
            match is_learned {
                true => today.learned += 1,
                false => _ = today.asked.insert(key),
            }
        }
        Ok(today)
    }

    /// Does something in one transaction.
    fn in_transaction<T>(
        &mut self,
        work: impl FnOnce(&Self) -> Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        self.connection.unlimited();
        let begun = Transaction::new_unchecked(&self.connection, TransactionBehavior::Immediate);
        let transaction = begun.in_file(&self.name)?;
        let done = work(self)?;
        transaction.commit().in_file(&self.name)?;
        Ok(done)
    }

    /// The positions in which chapters have moves, of those whose names contain one of these texts,
    /// in small or large letters.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn chapter_positions(
        &self,
        repertoire: &str,
        names: &[String],
    ) -> Result<HashSet<PositionKey>, StoreError> {
        let preparation = self.read_preparation(&self.repertoire(repertoire)?)?;
        let mut positions = HashSet::new();
        let is_meant = |chapter: &&PreparedChapter| {
            let name = chapter.name.to_lowercase();
            names.iter().any(|part| name.contains(&part.to_lowercase()))
        };
        for chapter in preparation.chapters().filter(is_meant) {
            let nodes = chapter.book.ids().map(|id| chapter.book.node(id));
            positions.extend(nodes.filter(|node| !node.edges.is_empty()).map(|node| node.key));
        }
        Ok(positions)
    }

    /// The names of the chapters of a repertoire, in order.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn chapter_names(&self, repertoire: &str) -> Result<Vec<String>, StoreError> {
        let sql = "SELECT chapter.name FROM chapter
             JOIN prepared_source AS source ON source.id = source_id
             WHERE repertoire_id = ?1 ORDER BY source.ordinal, chapter.ordinal";
        self.rows(sql, [self.repertoire(repertoire)?.id], |row| row.get(0))
    }

    /// The positions of a repertoire that are not asked for a while, and those whose time is over.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_pauses(&self, repertoire: &str) -> Result<Vec<Pause>, StoreError> {
        let info = self.repertoire(repertoire)?;
        let sql = "SELECT key, until FROM training_pause WHERE repertoire_id = ?1 ORDER BY key";
        self.rows(sql, [info.id], |row| {
            let (Parsed(key), until) = (row.get(0)?, row.get::<_, Option<i64>>(1)?);
            Ok(Pause { key, until: until.map(Moment::from_seconds) })
        })
    }

    /// The positions of a repertoire that were asked, by their keys.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_cards(&self, repertoire: &str) -> Result<Vec<Card>, StoreError> {
        self.cards_where("repertoire_id = ?1 ORDER BY key", [self.repertoire(repertoire)?.id])
    }

    fn cards_where(&self, condition: &str, values: impl Params) -> Result<Vec<Card>, StoreError> {
        let columns = "key, answer, stability, difficulty, reviewed_at, due_at, reviews, lapses";
        self.rows(
            &format!("SELECT {columns} FROM training_card WHERE {condition}"),
            values,
            read_card,
        )
    }

    /// All answers of the training of a repertoire, in the order in which they were given.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_reviews(&self, repertoire: &str) -> Result<Vec<Review>, StoreError> {
        self.reviews_where("repertoire_id = ?1", [self.repertoire(repertoire)?.id])
    }

    /// The answers that meet a condition, in the order in which they were given.
    fn reviews_where(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<Review>, StoreError> {
        let columns = "key, reviewed_at, is_first, rating, answer, given";
        let sql = format!("SELECT {columns} FROM training_review WHERE {condition} ORDER BY id");
        self.rows(&sql, values, read_review)
    }

    fn write_card(&self, info: &RepertoireInfo, card: &Card) -> Result<(), StoreError> {
        let sql = "INSERT OR REPLACE INTO training_card (repertoire_id, key, answer, stability,
                 difficulty, reviewed_at, due_at, reviews, lapses)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)";
        let values = params![
            info.id,
            card.key.to_string(),
            card.answer.to_string(),
            card.memory.stability,
            card.memory.difficulty,
            card.reviewed.seconds(),
            card.due.seconds(),
            card.reviews,
            card.lapses,
        ];
        self.execute(sql, values).map(drop)
    }

    fn write_review(&self, info: &RepertoireInfo, review: &Review) -> Result<(), StoreError> {
        let sql = "INSERT INTO training_review (repertoire_id, key, reviewed_at, is_first, rating,
                 answer, given)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        let values = params![
            info.id,
            review.key.to_string(),
            review.at.seconds(),
            review.is_first,
            review.rating.number(),
            review.answer.to_string(),
            review.given.map(|uci| uci.to_string()),
        ];
        self.execute(sql, values).map(drop)
    }

    fn delete_pause(&self, info: &RepertoireInfo, pause: &Pause) -> Result<(), StoreError> {
        let sql = "DELETE FROM training_pause WHERE repertoire_id = ?1 AND key = ?2";
        self.execute(sql, params![info.id, pause.key.to_string()]).map(drop)
    }
}

fn read_card(row: &Row<'_>) -> rusqlite::Result<Card> {
    let (Parsed(key), Parsed(answer)) = (row.get(0)?, row.get(1)?);
    let memory = Memory { stability: row.get(2)?, difficulty: row.get(3)? };
    let Memory { stability, difficulty } = memory;
    let is_possible = stability.is_finite() && stability > 0.0;
    if !is_possible || !(1.0..=10.0).contains(&difficulty) {
        let numbers = format!("stability {stability} and difficulty {difficulty}");
        return Err(impossible(2, format!("nothing is remembered with {numbers}")));
    }
    let [reviewed, due] = [row.get(4)?, row.get(5)?].map(Moment::from_seconds);
    let (reviews, lapses) = (row.get(6)?, row.get(7)?);
    Ok(Card { key, answer, memory, reviewed, due, reviews, lapses })
}

fn read_review(row: &Row<'_>) -> rusqlite::Result<Review> {
    let (Parsed(key), Parsed(answer), number) = (row.get(0)?, row.get(4)?, row.get(3)?);
    let no_rating = || impossible(3, format!("there is no rating {number}"));
    Ok(Review {
        key,
        at: Moment::from_seconds(row.get(1)?),
        is_first: row.get(2)?,
        rating: Rating::from_number(number).ok_or_else(no_rating)?,
        answer,
        given: row.get::<_, Option<Parsed<UciMove>>>(5)?.map(|given| given.0),
    })
}

/// A column has a number that it cannot have.
fn impossible(column: usize, what: String) -> rusqlite::Error {
    rusqlite::Error::FromSqlConversionFailure(column, Type::Real, what.into())
}
