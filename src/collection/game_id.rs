//! The identity of a kept game, short enough for an address.

use std::{fmt, str::FromStr};

/// The identity of a game in a collection: the first 8 bytes of its fingerprint.
///
/// Prints and parses as 11 letters and digits, in base 62 with the digits before the capitals
/// before the small letters.
///
/// ```
/// use eco::collection::GameId;
///
/// let id = GameId::from_number(12_345);
/// assert_eq!(id.to_string(), "000000003D7");
/// assert_eq!("000000003D7".parse(), Ok(id));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct GameId(u64);

const DIGITS: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/// 62^11 is more than 2^64, 62^10 is less.
const LENGTH: usize = 11;

impl GameId {
    /// The identity with this number.
    #[must_use]
    pub fn from_number(number: u64) -> Self {
        Self(number)
    }

    /// Its number.
    #[must_use]
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for GameId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = [b'0'; LENGTH];
        let mut rest = self.0;
        for digit in text.iter_mut().rev() {
            *digit = DIGITS[(rest % 62) as usize];
            rest /= 62;
        }
        f.write_str(str::from_utf8(&text).map_err(|_| fmt::Error)?)
    }
}

/// The text is not the identity of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not the identity of a game ({LENGTH} letters and digits): {0:?}")]
pub struct ParseGameIdError(String);

impl FromStr for GameId {
    type Err = ParseGameIdError;

    fn from_str(text: &str) -> Result<Self, ParseGameIdError> {
        let fault = || ParseGameIdError(text.to_owned());
        if text.len() != LENGTH {
            return Err(fault());
        }
        let number = text.bytes().try_fold(0_u64, |number, byte| {
            let digit = DIGITS.iter().position(|digit| *digit == byte)?;
            number.checked_mul(62)?.checked_add(digit as u64)
        });
        number.map(Self).ok_or_else(fault)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_has_one_text() {
        for number in [0, 1, 61, 62, u64::from(u32::MAX), u64::MAX - 1, u64::MAX] {
            let id = GameId::from_number(number);
            assert_eq!(id.to_string().parse(), Ok(id));
            assert_eq!(id.to_string().len(), LENGTH);
        }
        for text in
            ["", "0", "0000000000", "000000000000", "zzzzzzzzzzz", "0000000000-", "ä00000000"]
        {
            assert!(text.parse::<GameId>().is_err(), "for {text:?}");
        }
    }
}
