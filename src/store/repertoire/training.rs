//! What is kept of the training of a repertoire: a log of answers, and the card that follows from
//! those for each position.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};

use crate::{
    repertoire::{Book, MoveCounts},
    store::{Database, Explorer, InFile, RepertoireInfo, StoreError},
    training::{Card, Deck, Memory, Moment, Rating, Review, Scheduler},
};

/// A repertoire that is being trained: what is known of it is read, and answers are kept.
#[derive(Debug)]
pub struct TrainingLog {
    path: PathBuf,
    database: Database,
    repertoire: String,
    scheduler: Scheduler,
}

impl TrainingLog {
    /// Opens a repertoire for training.
    ///
    /// # Errors
    ///
    /// If there is no such file or repertoire, or the file cannot be written. Nothing is written
    /// then.
    pub fn open(path: &Path, repertoire: &str) -> Result<Self, StoreError> {
        Database::open(path)?.repertoire(repertoire)?;
        let database = Database::connect(path, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
        // SQLite opens a file that cannot be written for reading, and says nothing.
        if database.connection.is_readonly("main").in_file(&database.name)? {
            let (name, source) = (database.name, "it is read-only".into());
            return Err(StoreError::CannotWrite { name, source });
        }
        let scheduler = Scheduler::default();
        let (path, repertoire) = (path.to_owned(), repertoire.to_owned());
        Ok(Self { path, database, repertoire, scheduler })
    }

    /// The positions of the repertoire with what is known of them. If it has no games, the
    /// opponent's moves are as frequent as in the collections of the file.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire any more, the file cannot be read, or it is damaged.
    pub fn deck(&self) -> Result<Deck, StoreError> {
        let info = self.database.repertoire(&self.repertoire)?;
        let book = self.database.book_by(&info.name, info.rule)?;
        let replies = if book.has_counts() { None } else { self.replies(&book)? };
        let deck = Deck::new(Arc::new(book), self.database.training_cards(&info.name)?);
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

    /// The file and what it has.
    #[must_use]
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Keeps an answer, in one transaction, and returns the card that follows from it.
    ///
    /// # Errors
    ///
    /// If there is no such repertoire any more, or the file cannot be written. It is then what it
    /// was.
    pub fn record(&mut self, review: &Review) -> Result<Card, StoreError> {
        let info = self.database.repertoire(&self.repertoire)?;
        let scheduler = &self.scheduler;
        let mut kept = None;
        self.database.in_transaction(|transaction, name| {
            let known = read_card(transaction, &info, &review.key.to_string(), name)?;
            let review = Review { is_first: review.is_first || known.is_none(), ..review.clone() };
            let card = scheduler.review(known.as_ref(), &review);
            write_review(transaction, &info, &review).in_file(name)?;
            write_card(transaction, &info, &card).in_file(name)?;
            kept = Some(card);
            Ok(())
        })?;
        Ok(kept.expect("the transaction was committed"))
    }
}

impl Database {
    /// The positions of a repertoire that were asked, by their keys.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_cards(&self, repertoire: &str) -> Result<Vec<Card>, StoreError> {
        let info = self.repertoire(repertoire)?;
        let sql = "SELECT key, answer, stability, difficulty, reviewed_at, due_at, reviews, lapses
             FROM training_card WHERE repertoire_id = ?1 ORDER BY key";
        let rows = self.rows(sql, [info.id], StoredCard::read)?.into_iter();
        rows.map(|stored| stored.check(&self.name)).collect()
    }

    /// All answers of the training of a repertoire, in the order in which they were given.
    ///
    /// # Errors
    ///
    /// If there is no repertoire of this name, the file cannot be read, or it is damaged.
    pub fn training_reviews(&self, repertoire: &str) -> Result<Vec<Review>, StoreError> {
        let info = self.repertoire(repertoire)?;
        let sql = "SELECT key, reviewed_at, is_first, rating, answer, given
             FROM training_review WHERE repertoire_id = ?1 ORDER BY id";
        let rows = self.rows(sql, [info.id], StoredReview::read)?.into_iter();
        rows.map(|stored| stored.check(&self.name)).collect()
    }
}

/// A card as its row has it.
struct StoredCard {
    key: String,
    answer: String,
    memory: Memory,
    reviewed: i64,
    due: i64,
    reviews: u32,
    lapses: u32,
}

impl StoredCard {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            key: row.get(0)?,
            answer: row.get(1)?,
            memory: Memory { stability: row.get(2)?, difficulty: row.get(3)? },
            reviewed: row.get(4)?,
            due: row.get(5)?,
            reviews: row.get(6)?,
            lapses: row.get(7)?,
        })
    }

    fn check(self, name: &str) -> Result<Card, StoreError> {
        let Memory { stability, difficulty } = self.memory;
        let is_possible =
            stability.is_finite() && stability > 0.0 && (1.0..=10.0).contains(&difficulty);
        if !is_possible {
            let what = format!(
                "nothing is remembered with stability {stability} and difficulty \
                {difficulty}"
            );
            return Err(StoreError::damaged(name, &what));
        }
        Ok(Card {
            key: parsed(&self.key, name)?,
            answer: parsed(&self.answer, name)?,
            memory: self.memory,
            reviewed: Moment::from_seconds(self.reviewed),
            due: Moment::from_seconds(self.due),
            reviews: self.reviews,
            lapses: self.lapses,
        })
    }
}

/// An answer as its row has it.
struct StoredReview {
    key: String,
    at: i64,
    is_first: bool,
    rating: u8,
    answer: String,
    given: Option<String>,
}

impl StoredReview {
    fn read(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(Self {
            key: row.get(0)?,
            at: row.get(1)?,
            is_first: row.get(2)?,
            rating: row.get(3)?,
            answer: row.get(4)?,
            given: row.get(5)?,
        })
    }

    fn check(self, name: &str) -> Result<Review, StoreError> {
        let rating = Rating::from_number(self.rating);
        let no_rating =
            || StoreError::damaged(name, &format!("there is no rating {}", self.rating));
        Ok(Review {
            key: parsed(&self.key, name)?,
            at: Moment::from_seconds(self.at),
            is_first: self.is_first,
            rating: rating.ok_or_else(no_rating)?,
            answer: parsed(&self.answer, name)?,
            given: self.given.map(|given| parsed(&given, name)).transpose()?,
        })
    }
}

/// A stored text, read.
fn parsed<T: std::str::FromStr<Err: std::fmt::Display>>(
    text: &str,
    name: &str,
) -> Result<T, StoreError> {
    text.parse().map_err(|error| StoreError::damaged(name, &error))
}

fn read_card(
    connection: &Connection,
    info: &RepertoireInfo,
    key: &str,
    name: &str,
) -> Result<Option<Card>, StoreError> {
    let sql = "SELECT key, answer, stability, difficulty, reviewed_at, due_at, reviews, lapses
         FROM training_card WHERE repertoire_id = ?1 AND key = ?2";
    let found = connection.query_row(sql, params![info.id, key], StoredCard::read).optional();
    found.in_file(name)?.map(|stored| stored.check(name)).transpose()
}

fn write_card(connection: &Connection, info: &RepertoireInfo, card: &Card) -> rusqlite::Result<()> {
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
    connection.execute(sql, values).map(drop)
}

fn write_review(
    connection: &Connection,
    info: &RepertoireInfo,
    review: &Review,
) -> rusqlite::Result<()> {
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
    connection.execute(sql, values).map(drop)
}
