//! The tags of a game that its verdict and its row need.

use std::borrow::Cow;

use super::verdict::GameError;
use crate::chess::{Chess, read_fen};
use crate::pgn::{Tag, TagVisitor, decode_text, implied_variant, is_standard_chess};

/// The tags of a game that classifying and reports look at, as bytes of the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Header<'a> {
    /// `White`.
    pub white: Option<Cow<'a, [u8]>>,
    /// `Black`.
    pub black: Option<Cow<'a, [u8]>>,
    /// `Result`.
    pub result: Option<Cow<'a, [u8]>>,
    /// `Date`, or `UTCDate` if there is none.
    pub date: Option<Cow<'a, [u8]>>,
    /// `TimeControl`.
    pub time_control: Option<Cow<'a, [u8]>>,
    /// `FEN`.
    pub fen: Option<Cow<'a, [u8]>>,
    /// `Variant`.
    pub variant: Option<Cow<'a, [u8]>>,
    /// The variant that `Rules`, or `Event` as lichess writes it, names. `Variant` goes before it.
    pub implied_variant: Option<Cow<'a, [u8]>>,
    /// The first tag that is damaged.
    pub damage: Option<Tag<'a>>,
}

impl<'a> Header<'a> {
    /// Reads the tags of a game. Of tags with one name the first counts, of dates the last.
    pub(crate) fn read(tags: impl Iterator<Item = Tag<'a>>) -> Self {
        let mut header = Self::default();
        tags.for_each(|tag| header.visit(&tag));
        header
    }

    /// The value of `Variant`, or what stands in for it.
    pub(crate) fn played_variant(&self) -> &[u8] {
        let name = self.variant.as_ref().or(self.implied_variant.as_ref());
        name.map_or(b"", |name| name.trim_ascii())
    }

    /// Whether the game says nothing of its start: it is the standard position then.
    #[inline]
    pub(crate) fn has_standard_start(&self) -> bool {
        self.fen.is_none() && self.variant.is_none() && self.implied_variant.is_none()
    }

    /// The start position of the game; `None` for the standard one.
    ///
    /// # Errors
    ///
    /// If the game is of another variant, or its FEN is not a position.
    pub(crate) fn start(&self) -> Result<Option<Chess>, GameError> {
        let variant = self.played_variant();
        if !is_standard_chess(variant) {
            return Err(GameError::Variant { name: decode_text(variant).into_owned() });
        }
        match self.fen.as_deref().map(<[u8]>::trim_ascii) {
            None | Some(b"" | b"?") => Ok(None),
            Some(fen) => read_fen(fen).map(Some).map_err(GameError::Fen),
        }
    }
}

impl<'a> TagVisitor<'a> for Header<'a> {
    #[inline(always)]
    fn visit(&mut self, tag: &Tag<'a>) {
        if tag.fault.is_some() {
            self.damage.get_or_insert(*tag);
        }
        let field = match tag.name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"TimeControl" => &mut self.time_control,
            b"FEN" => &mut self.fen,
            b"Variant" => &mut self.variant,
            b"Event" | b"Rules" => {
                // Most games name none, so nothing is kept of them.
                if let Some(variant) = implied_variant(tag.name, tag.raw_value) {
                    self.implied_variant.get_or_insert(variant.into());
                }
                return;
            }
            b"Date" => {
                self.date = Some(tag.value());
                return;
            }
            b"UTCDate" => &mut self.date,
            _ => return,
        };
        field.get_or_insert_with(|| tag.value());
    }
}
