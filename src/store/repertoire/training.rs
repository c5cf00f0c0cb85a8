//! What is kept of the training of a repertoire: a log of answers, and the card that follows from
//! those for each position.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, TransactionBehavior};
use rusqlite::{params, types::Type};

use crate::chess::UciMove;
use crate::repertoire::{Book, MoveCounts};
use crate::store::{Database, Explorer, InFile, RepertoireInfo, StoreError, rows::Parsed};
use crate::training::{Card, Deck, Memory, Moment, Rating, Review, Scheduler};

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

    /// The file.
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
        let connection = self.database.connection.unlimited();
        let mut record = || -> rusqlite::Result<Card> {
            let transaction =
                connection.transaction_with_behavior(TransactionBehavior::Immediate)?;
            let known = find_card(&transaction, &info, &review.key.to_string())?;
            let review = Review { is_first: review.is_first || known.is_none(), ..review.clone() };
            let card = self.scheduler.review(known.as_ref(), &review);
            write_review(&transaction, &info, &review)?;
            write_card(&transaction, &info, &card)?;
            transaction.commit()?;
            Ok(card)
        };
        record().in_file(&self.database.name)
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
        self.rows(sql, [info.id], read_card)
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
        self.rows(sql, [info.id], read_review)
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

fn find_card(
    connection: &Connection,
    info: &RepertoireInfo,
    key: &str,
) -> rusqlite::Result<Option<Card>> {
    let sql = "SELECT key, answer, stability, difficulty, reviewed_at, due_at, reviews, lapses
         FROM training_card WHERE repertoire_id = ?1 AND key = ?2";
    connection.query_row(sql, params![info.id, key], read_card).optional()
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
