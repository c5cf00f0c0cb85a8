//! A column of movetexts, and the opening of each.

use std::sync::Arc;

use arrow_array::{
    Array, BooleanArray, GenericByteArray, GenericByteViewArray, StructArray,
    builder::{BooleanBuilder, StringBuilder, UInt16Builder},
    cast::AsArray,
    types::{ByteArrayType, ByteViewType},
};
use arrow_schema::{DataType, Field, Fields};

use crate::classify::{Classifier, NamedAt};

/// Names the games of a column of movetexts, such as `1. e4 c5 2. Nf3`.
///
/// The answer is a column of structs with `eco`, `opening`, `ply` and `transposed`, as
/// [`classify_movetext`](Classifier::classify_movetext) has them: all of them null for a game
/// without an opening, and the struct null for a null. Arrays of text and of bytes are taken, with
/// 32-bit offsets, 64-bit offsets or views, and dictionaries of them, of which each text is named
/// once. Nothing is allocated for a single game.
///
/// ```
/// use eco::output::columns::{OpeningColumn, arrow_array::{Array, StringArray, cast::AsArray}};
/// use eco::{catalogue::Catalogue, classify::Classifier};
///
/// let mut column = OpeningColumn::new(Classifier::new(Catalogue::builtin()));
/// column.push(&StringArray::from(vec![Some("1. g3 f5 2. d4"), None]))?;
/// let openings = column.finish();
/// assert_eq!(openings.column(0).as_string::<i32>().value(0), "A81");
/// assert!(openings.is_null(1));
/// # Ok::<(), eco::output::columns::MovetextError>(())
/// ```
#[derive(Debug)]
pub struct OpeningColumn<'c> {
    classifier: Classifier<'c>,
    eco: StringBuilder,
    opening: StringBuilder,
    ply: UInt16Builder,
    transposed: BooleanBuilder,
    valid: BooleanBuilder,
    /// The length of all names.
    bytes: usize,
}

/// A column that is not named.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MovetextError {
    /// It has no text.
    #[error("expected a column of text, found one of {0}")]
    NotText(String),
    /// Its names need more than the 2 GiB that a column with 32-bit offsets has.
    #[error("the names of these games are longer than 2 GiB; name the column in several parts")]
    TooLong,
}

impl<'c> OpeningColumn<'c> {
    /// An empty column, for games that this classifier names.
    #[must_use]
    pub fn new(classifier: Classifier<'c>) -> Self {
        Self {
            classifier,
            eco: StringBuilder::new(),
            opening: StringBuilder::new(),
            ply: UInt16Builder::new(),
            transposed: BooleanBuilder::new(),
            valid: BooleanBuilder::new(),
            bytes: 0,
        }
    }

    /// The fields of its structs.
    #[must_use]
    pub fn fields() -> Fields {
        Fields::from(vec![
            Field::new("eco", DataType::Utf8, true),
            Field::new("opening", DataType::Utf8, true),
            Field::new("ply", DataType::UInt16, true),
            Field::new("transposed", DataType::Boolean, true),
        ])
    }

    /// Names the games of an array, which follow those of earlier ones.
    ///
    /// # Errors
    ///
    /// If the array has no text, or the names are too long for one column. Nothing is added where
    /// there is no text; of names that are too long, those before.
    pub fn push(&mut self, movetexts: &dyn Array) -> Result<(), MovetextError> {
        match movetexts.data_type() {
            DataType::Utf8 => self.push_bytes(movetexts.as_string::<i32>()),
            DataType::LargeUtf8 => self.push_bytes(movetexts.as_string::<i64>()),
            DataType::Utf8View => self.push_views(movetexts.as_string_view()),
            DataType::Binary => self.push_bytes(movetexts.as_binary::<i32>()),
            DataType::LargeBinary => self.push_bytes(movetexts.as_binary::<i64>()),
            DataType::BinaryView => self.push_views(movetexts.as_binary_view()),
            DataType::Dictionary(..) => self.push_dictionary(movetexts),
            DataType::Null => {
                (0..movetexts.len()).for_each(|_| self.append_null());
                Ok(())
            }
            other => Err(MovetextError::NotText(other.to_string())),
        }
    }

    /// The column.
    #[must_use]
    pub fn finish(mut self) -> StructArray {
        let valid: BooleanArray = self.valid.finish();
        let (valid, _) = valid.into_parts();
        StructArray::new(
            Self::fields(),
            vec![
                Arc::new(self.eco.finish()),
                Arc::new(self.opening.finish()),
                Arc::new(self.ply.finish()),
                Arc::new(self.transposed.finish()),
            ],
            (valid.count_set_bits() < valid.len()).then(|| valid.into()),
        )
    }

    fn push_bytes<T: ByteArrayType>(
        &mut self,
        movetexts: &GenericByteArray<T>,
    ) -> Result<(), MovetextError> {
        self.push_all(movetexts.iter().map(|movetext| movetext.map(AsRef::as_ref)))
    }

    fn push_views<T: ByteViewType>(
        &mut self,
        movetexts: &GenericByteViewArray<T>,
    ) -> Result<(), MovetextError> {
        self.push_all(movetexts.iter().map(|movetext| movetext.map(AsRef::as_ref)))
    }

    fn push_all<'m>(
        &mut self,
        movetexts: impl Iterator<Item = Option<&'m [u8]>>,
    ) -> Result<(), MovetextError> {
        for movetext in movetexts {
            match movetext {
                Some(movetext) => self.append(self.classifier.classify_movetext(movetext).named)?,
                None => self.append_null(),
            }
        }
        Ok(())
    }

    fn push_dictionary(&mut self, movetexts: &dyn Array) -> Result<(), MovetextError> {
        let dictionary = movetexts.as_any_dictionary();
        let named = self.named_values(dictionary.values().as_ref())?;
        if named.is_empty() {
            // Nulls alone need no values, and keys without values cannot be asked for.
            (0..dictionary.len()).for_each(|_| self.append_null());
            return Ok(());
        }
        let keys = dictionary.normalized_keys();
        for (row, key) in keys.into_iter().enumerate() {
            match named.get(key).filter(|_| !dictionary.is_null(row)) {
                Some(Some(named)) => self.append(*named)?,
                Some(None) | None => self.append_null(),
            }
        }
        Ok(())
    }

    /// The names of the texts of a dictionary; `None` for a null.
    fn named_values(&self, values: &dyn Array) -> Result<Vec<Named<'c>>, MovetextError> {
        let named = |movetext: Option<&[u8]>| {
            movetext.map(|movetext| self.classifier.classify_movetext(movetext).named)
        };
        Ok(match values.data_type() {
            DataType::Utf8 => {
                values.as_string::<i32>().iter().map(|t| named(t.map(str::as_bytes))).collect()
            }
            DataType::LargeUtf8 => {
                values.as_string::<i64>().iter().map(|t| named(t.map(str::as_bytes))).collect()
            }
            DataType::Utf8View => {
                values.as_string_view().iter().map(|t| named(t.map(str::as_bytes))).collect()
            }
            other => return Err(MovetextError::NotText(other.to_string())),
        })
    }

    #[inline]
    fn append(&mut self, named: Option<NamedAt<'_>>) -> Result<(), MovetextError> {
        let Some(named) = named else {
            self.valid.append_value(true);
            self.append_nameless();
            return Ok(());
        };
        let opening = named.opening();
        self.bytes += opening.name().len();
        if self.bytes > i32::MAX as usize {
            return Err(MovetextError::TooLong);
        }
        self.valid.append_value(true);
        self.eco.append_value(opening.eco().as_str());
        self.opening.append_value(opening.name());
        self.ply.append_value(named.ply().try_into().unwrap_or(u16::MAX));
        self.transposed.append_value(named.is_transposed());
        Ok(())
    }

    fn append_null(&mut self) {
        self.valid.append_value(false);
        self.append_nameless();
    }

    fn append_nameless(&mut self) {
        self.eco.append_null();
        self.opening.append_null();
        self.ply.append_null();
        self.transposed.append_null();
    }
}

/// The name of a text, if there is a text, and if it has one.
type Named<'c> = Option<Option<NamedAt<'c>>>;

#[cfg(test)]
mod tests {
    use arrow_array::{
        ArrayRef, BinaryArray, BinaryViewArray, DictionaryArray, Int32Array, LargeBinaryArray,
        LargeStringArray, NullArray, StringArray, StringViewArray, types::UInt8Type,
    };

    use super::*;
    use crate::catalogue::Catalogue;

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
                    let (eco, name) = (opening.eco().to_string(), opening.name().to_owned());
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
            column.push(&array.slice(0, 3)).unwrap();
            column.push(&array.slice(3, 5)).unwrap();
            check(&column.finish(), &MOVETEXTS, array.data_type());
        }
    }

    #[test]
    fn nulls_are_null_and_what_is_no_text_is_refused() {
        let mut column = OpeningColumn::new(Classifier::new(Catalogue::builtin()));
        column.push(&NullArray::new(2)).unwrap();
        let nulls: DictionaryArray<UInt8Type> = [None::<&str>, None].into_iter().collect();
        column.push(&nulls).unwrap();
        let error = column.push(&Int32Array::from(vec![1])).unwrap_err();
        assert_eq!(error.to_string(), "expected a column of text, found one of Int32");
        check(&column.finish(), &[None; 4], &DataType::Null);
    }
}
