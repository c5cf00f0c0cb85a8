//! Any bytes as bodies of requests to a session of training over HTTP, a body a line. A line that
//! is no JSON is taken as the move of an answer to the question that is open.

use std::{path::PathBuf, sync::LazyLock};

use eco::{
    chess::Color,
    collection::Cancellation,
    repertoire::{Book, BookRule},
    store::{Database, RepertoireSettings},
    training::Moment,
    web::{Roles, Site},
};

use super::scratch;

/// A repertoire in a database of this process.
static PATH: LazyLock<PathBuf> = LazyLock::new(|| {
    let path = scratch("train").join("train.db");
    let mut book = Book::new(Color::White, BookRule::default());
    for line in ["1. e4 e5 2. Nf3 Nc6 3. Bb5 Nf6 4. O-O", "1. e4 c5 2. c3", "1. e4 e6 2. d4 d5"] {
        book.prepare(line).expect("the line can be played");
    }
    let settings =
        RepertoireSettings { color: Some(Color::White), ..RepertoireSettings::default() };
    Database::prepare(&path, "mine", &settings, 0, &book).expect("the file is new");
    path
});

static SITE: LazyLock<Site> = LazyLock::new(|| {
    let site = Site::open(&PATH, Roles::default(), eco::catalogue::Catalogue::builtin())
        .expect("it was just written");
    site.with_training(&["mine".to_owned()], || Moment::from_seconds(1_700_000_000))
        .expect("it can be written")
});

/// The number of the question in a reply.
fn number(reply: &str) -> Option<u64> {
    let (_, rest) = reply.split_once("\"question\":{\"question\":")?;
    rest.split(',').next()?.parse().ok()
}

pub fn check_bytes(bytes: &[u8]) {
    let mut open = None;
    for (round, line) in bytes.split(|byte| *byte == b'\n').take(20).enumerate() {
        let word: String =
            line.iter().filter(|b| b.is_ascii_alphanumeric()).map(|b| char::from(*b)).collect();
        let body = match open {
            _ if line.starts_with(b"{") => line.to_vec(),
            Some(number) => {
                format!("{{\"do\":\"answer\",\"question\":{number},\"uci\":\"{word}\"}}")
                    .into_bytes()
            }
            None => format!("{{\"do\":\"begin\",\"new\":{round},\"line\":true}}").into_bytes(),
        };
        let answer = SITE.answer("/eco/train", "", &body, &Cancellation::default());
        let text = str::from_utf8(&answer.body).expect("replies are text");
        match answer.status {
            200 => {
                assert!(answer.content_type.contains("json") && text.starts_with('{'), "{text}");
                open = number(text);
            }
            400 | 409 => assert!(text.lines().count() <= 1, "{text}"),
            other => panic!("status {other}: {text}"),
        }
    }
    let database = Database::open(&PATH).expect("it is a database");
    database.training_cards("mine").expect("its cards can be read");
}
