//! `/eco/edit`: a repertoire is edited over HTTP, and the last change undone. Who may send
//! something is decided before.

use serde::{Deserialize, Serialize};

use super::answer::{Answer, Fault};
use super::{line::line_from, training::Trainer};
use crate::pipeline::Workers;
use crate::repertoire::{EditKind, LineEdit, Preparation};
use crate::store::{Database, RepertoireSettings};

pub(super) const PATH: &str = "/eco/edit";

/// What the page sends: the body of a request.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
enum Message {
    /// A line is added, or its last move edited.
    Edit(LineMessage),
    /// The last change is undone.
    Undo {
        /// The repertoire.
        repertoire: String,
        /// The number of the change, which must be the last one.
        change: i64,
    },
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct LineMessage {
    repertoire: String,
    /// Where the line begins; the initial position if it is empty.
    #[serde(default)]
    fen: String,
    /// Its moves, in UCI notation.
    play: Vec<String>,
    #[serde(default)]
    cut: bool,
    #[serde(default)]
    main: bool,
    /// In place of earlier comments; empty to remove them.
    comment: Option<String>,
    /// The number of a glyph, from 1; 0 to remove all.
    glyph: Option<u8>,
}

#[derive(Serialize)]
struct EditedObject {
    /// What was done, in words.
    done: String,
    /// The number of the change, by which it is undone.
    change: Option<i64>,
}

impl Trainer {
    /// The answer to a request with this body.
    pub(super) fn edit(&self, body: &[u8]) -> Result<Answer, Fault> {
        let done = match serde_json::from_slice(body).map_err(Fault::bad_request)? {
            Message::Edit(line) => {
                let done = self.edit_line(&line)?;
                EditedObject { done, change: self.last_change(&line.repertoire)? }
            }
            Message::Undo { repertoire, change } => {
                self.check(&repertoire)?;
                if self.last_change(&repertoire)? != Some(change) {
                    return Err(Fault::conflict("something else was changed since"));
                }
                let undone = Database::undo(&self.path, Some(&repertoire), &Workers::default());
                let nothing = || Fault::conflict("there is nothing to undo");
                let done = format!("undone: {}", undone?.ok_or_else(nothing)?.what);
                EditedObject { done, change: None }
            }
        };
        Ok(Answer::json_once(&done))
    }

    /// The number of the last change of a repertoire.
    fn last_change(&self, repertoire: &str) -> Result<Option<i64>, Fault> {
        let changes = Database::open(&self.path)?.history(Some(repertoire))?;
        Ok(changes.first().map(|change| change.id))
    }

    fn check(&self, repertoire: &str) -> Result<(), Fault> {
        let there_is = || self.repertoires.join(", ");
        match self.repertoires.iter().any(|name| name == repertoire) {
            true => Ok(()),
            false => Err(Fault::parameter("repertoire", format_args!("there is {}", there_is()))),
        }
    }

    fn edit_line(&self, message: &LineMessage) -> Result<String, Fault> {
        self.check(&message.repertoire)?;
        let fen = Some(message.fen.as_str()).filter(|fen| !fen.is_empty());
        let line = line_from(fen, message.play.iter().map(String::as_str))?;
        let moves: Vec<_> = line.steps().map(|(_, m, _)| m).collect();
        let is_more = message.main || message.comment.is_some() || message.glyph.is_some();
        if message.cut && is_more {
            return Err(Fault::parameter("cut", "nothing else is done to a move that is removed"));
        }
        let comment = message.comment.as_deref().map(str::trim);
        let glyph = |nag| if nag == 0 { EditKind::NoGlyphs } else { EditKind::Glyph(nag) };
        let edits = [
            message.cut.then_some(EditKind::Cut),
            message.main.then_some(EditKind::Main),
            message.glyph.map(glyph),
            comment.map(|text| EditKind::Comment(text.to_owned())),
        ];
        let edit = LineEdit { edits: edits.into_iter().flatten().collect(), source: None };
        let color = Database::open(&self.path)?.repertoire(&message.repertoire)?.color;
        let mut said = String::new();
        let change = |preparation: &mut Preparation| {
            let done = edit.apply(line.start(), &moves, color, preparation);
            let mut done = done.map_err(Fault::bad_request)?;
            done.extend(message.cut.then(|| "removed".to_owned()));
            said = format!("{}: {}", LineEdit::line_text(line.start(), &moves), done.join(", "));
            Ok::<_, Fault>(said.clone())
        };
        let (settings, at) = (RepertoireSettings::default(), (self.now)().seconds());
        Database::change_preparation(&self.path, &message.repertoire, &settings, at, change)?;
        Ok(said)
    }
}
