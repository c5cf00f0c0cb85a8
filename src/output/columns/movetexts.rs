//! A column of movetexts, and the opening of each.

use arrow_array::{Array, StructArray, array::AnyDictionaryArray};
use arrow_array::{builder::NullBufferBuilder, cast::AsArray};
use arrow_schema::{DataType, Fields};

use super::{BatchBuilder, BatchLayout};
use crate::classify::{Classified, Classifier, Header, Verdict};
use crate::output::{Field, FieldValue, GameRow};
use crate::pgn::MainLine;

/// Names the games of a column of movetexts, such as `1. e4 c5 2. Nf3`.
///
/// The answer is a column of structs with `eco`, `opening`, `ply`, `transposed` and `error`, as
/// [`classify_movetext`](Classifier::classify_movetext) has them: null for a game without an
/// opening or an error, and the struct null for a null. Arrays of text and of bytes are taken, with
/// 32-bit offsets, 64-bit offsets or views, and dictionaries of them.
///
/// ```
/// use eco::output::columns::{OpeningColumn, arrow_array::{Array, StringArray, cast::AsArray}};
/// use eco::{catalogue::Catalogue, classify::Classifier};
///
/// let mut column = OpeningColumn::new(Classifier::new(Catalogue::builtin()));
/// column.push(&StringArray::from(vec![Some("1. g3 f5 2. d4"), None]), [None, None])?;
/// let variant = StringArray::from(vec!["Atomic"]);
/// column.push(&StringArray::from(vec!["1. e4 c5"]), [None, Some(&variant)])?;
/// let openings = column.finish();
/// assert_eq!(openings.column(0).as_string::<i32>().value(0), "A81");
/// assert!(openings.is_null(1));
/// assert!(openings.column(0).is_null(2));
/// assert_eq!(openings.column(4).as_string::<i32>().value(2), "variant Atomic: not classified");
/// # Ok::<(), eco::output::columns::MovetextError>(())
/// ```
pub struct OpeningColumn<'c> {
    classifier: Classifier<'c>,
    layout: BatchLayout<FieldValue>,
    rows: BatchBuilder,
    valid: NullBufferBuilder,
    /// The length of all names and errors.
    bytes: usize,
}

/// A column that is not named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MovetextError {
    /// It has no text.
    #[error("expected a column of text, found one of {0}")]
    NotText(String),
    /// Columns of the same games have different lengths.
    #[error("expected columns of the same length, found {0} and {1} rows")]
    Lengths(usize, usize),
    /// Its names need more than the 2 GiB that a column with 32-bit offsets has.
    #[error("the names of these games are longer than 2 GiB; name the column in several parts")]
    TooLong,
}

impl<'c> OpeningColumn<'c> {
    /// An empty column, for games that this classifier names.
    pub fn new(classifier: Classifier<'c>) -> Self {
        let layout = layout();
        let rows = layout.builder(0);
        Self { classifier, layout, rows, valid: NullBufferBuilder::new(0), bytes: 0 }
    }

    /// The fields of its structs.
    pub fn fields() -> Fields {
        layout().schema().fields().clone()
    }

    /// Names the games of an array, which follow those of earlier ones. `tags` are columns of the
    /// values of their tags `FEN` and `Variant`; a null is a tag that is missing. They decide as in
    /// [`classify`](Classifier::classify).
    ///
    /// # Errors
    ///
    /// If an array has no text, the lengths differ, or the names are too long for one column.
    /// Of names that are too long, those before are added, and else nothing.
    pub fn push(
        &mut self,
        movetexts: &dyn Array,
        tags: [Option<&dyn Array>; 2],
    ) -> Result<(), MovetextError> {
        let rows = movetexts.len();
        if let Some(other) = tags.into_iter().flatten().find(|tag| tag.len() != rows) {
            return Err(MovetextError::Lengths(rows, other.len()));
        }
        if let (DataType::Dictionary(..), [None, None]) = (movetexts.data_type(), tags) {
            return self.push_dictionary(movetexts.as_any_dictionary());
        }
        let movetexts = texts(movetexts)?;
        let [fens, variants] = tags.map(|tag| tag.map_or_else(|| Ok(no_text()), texts));
        let (fens, variants) = (fens?, variants?);
        for row in 0..rows {
            let verdict = movetexts(row).map(|movetext| {
                let header = Header {
                    fen: fens(row).map(Into::into),
                    variant: variants(row).map(Into::into),
                    ..Header::default()
                };
                self.classifier.classify_tagged(&header, movetext)
            });
            self.append(verdict)?;
        }
        Ok(())
    }

    /// Names each text of a dictionary once.
    fn push_dictionary(
        &mut self,
        dictionary: &dyn AnyDictionaryArray,
    ) -> Result<(), MovetextError> {
        let values = dictionary.values();
        let value = texts(values.as_ref())?;
        let named = |at| value(at).map(|text| self.classifier.classify_movetext(text));
        let verdicts: Vec<Option<Verdict<'c>>> = (0..values.len()).map(named).collect();
        let row_key = keys(dictionary);
        for row in 0..dictionary.len() {
            self.append(row_key(row).and_then(|key| verdicts[key].clone()))?;
        }
        Ok(())
    }

    /// The column.
    pub fn finish(mut self) -> StructArray {
        let columns = self.rows.finish().columns().to_vec();
        StructArray::new(Self::fields(), columns, self.valid.finish())
    }

    /// Adds what is known of a game; a null without it.
    fn append(&mut self, verdict: Option<Verdict<'c>>) -> Result<(), MovetextError> {
        let is_valid = verdict.is_some();
        let verdict = verdict.unwrap_or(Verdict { named: None, error: None });
        self.bytes += verdict.named.map_or(0, |named| named.opening().name().len());
        self.bytes += verdict.error.as_ref().map_or(0, |error| error.to_string().len());
        if self.bytes > i32::MAX as usize {
            return Err(MovetextError::TooLong);
        }
        self.valid.append(is_valid);
        let main_line = MainLine::from_movetext(b"");
        let game = &Classified { header: Header::default(), main_line, verdict };
        let row = GameRow { source: "", number: 0, offset: 0, game, details: None };
        self.layout.write(&row, &mut self.rows);
        Ok(())
    }
}

/// The columns of the structs: those of rows about games, with all names in full.
fn layout() -> BatchLayout<FieldValue> {
    let fields = [Field::Eco, Field::Opening, Field::Ply, Field::Transposed, Field::Error];
    BatchLayout::new(Field::columns(&fields).with_names_as_text())
}

/// The text of each row; `None` for a null.
type Texts<'a> = Box<dyn Fn(usize) -> Option<&'a [u8]> + 'a>;

fn no_text<'a>() -> Texts<'a> {
    Box::new(|_| None)
}

/// The texts of an array.
fn texts(array: &dyn Array) -> Result<Texts<'_>, MovetextError> {
    macro_rules! of {
        ($values:expr) => {{
            let values = $values;
            Box::new(move |row| values.is_valid(row).then(|| values.value(row).as_ref()))
        }};
    }
    Ok(match array.data_type() {
        DataType::Utf8 => of!(array.as_string::<i32>()),
        DataType::LargeUtf8 => of!(array.as_string::<i64>()),
        DataType::Utf8View => of!(array.as_string_view()),
        DataType::Binary => of!(array.as_binary::<i32>()),
        DataType::LargeBinary => of!(array.as_binary::<i64>()),
        DataType::BinaryView => of!(array.as_binary_view()),
        DataType::Null => no_text(),
        DataType::Dictionary(..) => {
            let dictionary = array.as_any_dictionary();
            let (values, row_key) = (texts(dictionary.values().as_ref())?, keys(dictionary));
            Box::new(move |row| row_key(row).and_then(&values))
        }
        other => return Err(MovetextError::NotText(other.to_string())),
    })
}

/// The key of each row of a dictionary; `None` for a null.
fn keys(dictionary: &dyn AnyDictionaryArray) -> impl Fn(usize) -> Option<usize> {
    // Nulls alone need no values, and keys without values cannot be asked for.
    let has_values = !dictionary.values().is_empty();
    let keys = if has_values { dictionary.normalized_keys() } else { Vec::new() };
    move |row| keys.get(row).copied().filter(|_| dictionary.is_valid(row))
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow_array::{
        ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
        LargeStringArray, NullArray, StringArray, StringViewArray, types::UInt8Type,
    };

    use super::*;
    use crate::{catalogue::Catalogue, pgn::Game};

    const MOVETEXTS: [Option<&str>; 8] = [
        Some("1. g3 f5 2. d4"),
        None,
        Some(""),
        Some("1. e4 c5 2. Nf3 {comment} d6 (2... Nc6) 3. d4 cxd4 1-0"),
        Some("e2e4 e7e5 Ke3"),
        Some("1. a4 a5 2. b4 *"),
        Some("not a game"),
        Some("1. g3 f5 2. d4"),
    ];

    fn arrays() -> Vec<ArrayRef> {
        let texts = || MOVETEXTS.to_vec();
        let bytes = || MOVETEXTS.iter().map(|text| text.map(str::as_bytes));
        let dictionary: DictionaryArray<UInt8Type> = MOVETEXTS.into_iter().collect();
        vec![
            Arc::new(StringArray::from(texts())),
            Arc::new(LargeStringArray::from(texts())),
            Arc::new(StringViewArray::from(texts())),
            Arc::new(bytes().collect::<BinaryArray>()),
            Arc::new(bytes().collect::<LargeBinaryArray>()),
            Arc::new(bytes().collect::<BinaryViewArray>()),
            Arc::new(dictionary),
        ]
    }

    /// What the rows of a column should say, by the plain way.
    fn check(openings: &StructArray, movetexts: &[Option<&str>], what: &DataType) {
        let classifier = Classifier::new(Catalogue::builtin());
        assert_eq!(openings.len(), movetexts.len(), "{what}");
        for (row, movetext) in movetexts.iter().enumerate() {
            assert_eq!(openings.is_null(row), movetext.is_none(), "{what}, row {row}");
            let expected = movetext
                .and_then(|movetext| classifier.classify_movetext(movetext.as_bytes()).named)
                .map(|named| {
                    let opening = named.opening();
                    let (eco, name) = (opening.code().to_owned(), opening.name().to_owned());
                    (eco, name, named.ply() as u16, named.is_transposed())
                });
            let found = (!openings.column(0).is_null(row)).then(|| {
                let text = |at: usize| openings.column(at).as_string::<i32>().value(row).to_owned();
                let ply = openings.column(2).as_primitive::<arrow_array::types::UInt16Type>();
                (text(0), text(1), ply.value(row), openings.column(3).as_boolean().value(row))
            });
            assert_eq!(found, expected, "{what}, row {row}");
        }
    }

    #[test]
    fn columns_of_every_kind_are_named_as_single_games_are() {
        for array in arrays() {
            let mut column = OpeningColumn::new(Classifier::new(Catalogue::builtin()));
            // In parts, so that offsets do not begin with 0.
            column.push(&array.slice(0, 3), [None; 2]).unwrap();
            column.push(&array.slice(3, 5), [None; 2]).unwrap();
            check(&column.finish(), &MOVETEXTS, array.data_type());
        }
    }

    #[test]
    fn start_and_variant_decide_as_the_tags_of_a_game() {
        let classifier = Classifier::new(Catalogue::builtin());
        let fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
        let rows = [
            ("1. e4 c5", None, None),
            ("1. e4 c5", Some(""), Some("")),
            ("2. Nf3 d6", Some(fen), None),
            ("2. Nf3 d6", Some(fen), Some("From Position")),
            ("2. Nf3 d6", None, None),
            ("1. e4 c5", None, Some("Standard")),
            ("1. e4 c5", None, Some("Atomic")),
            ("2. Nf3 d6", Some("no position"), None),
            ("1. e4 c5", Some(fen), Some("chess960")),
        ];
        let moves = StringArray::from_iter_values(rows.map(|(moves, ..)| moves));
        let fens: DictionaryArray<UInt8Type> = rows.map(|(_, fen, _)| fen).into_iter().collect();
        let variants = StringViewArray::from(rows.map(|(.., variant)| variant).to_vec());
        let mut column = OpeningColumn::new(classifier);
        column.push(&moves, [Some(&fens), Some(&variants)]).unwrap();
        let column = column.finish();
        for (row, (moves, fen, variant)) in rows.into_iter().enumerate() {
            let tag = |name, value: Option<&str>| {
                value.map(|value| format!("[{name} \"{value}\"]\n")).unwrap_or_default()
            };
            let pgn = format!("{}{}\n{moves}", tag("FEN", fen), tag("Variant", variant));
            let verdict = classifier.classify(&Game::from_bytes(pgn.as_bytes())).verdict;
            let text = |at: usize| {
                let texts = column.column(at).as_string::<i32>();
                texts.is_valid(row).then(|| texts.value(row).to_owned())
            };
            let name = verdict.named.map(|named| named.opening().name().to_owned());
            assert_eq!(text(1), name, "{pgn}");
            assert_eq!(text(4), verdict.error.map(|error| error.to_string()), "{pgn}");
        }
        let mut column = OpeningColumn::new(classifier);
        let error = column.push(&moves, [None, Some(&variants.slice(1, 2))]).unwrap_err();
        assert_eq!(error, MovetextError::Lengths(9, 2));
    }

    #[test]
    fn nulls_are_null_and_what_is_no_text_is_refused() {
        let mut column = OpeningColumn::new(Classifier::new(Catalogue::builtin()));
        column.push(&NullArray::new(2), [None; 2]).unwrap();
        let nulls: DictionaryArray<UInt8Type> = [None::<&str>, None].into_iter().collect();
        column.push(&nulls, [None; 2]).unwrap();
        let error = column.push(&Int32Array::from(vec![1]), [None; 2]).unwrap_err();
        assert_eq!(error.to_string(), "expected a column of text, found one of Int32");
        check(&column.finish(), &[None; 4], &DataType::Null);
    }
}
