//! One tag, read from its bracket on, in every layout that occurs; and the variant that it names.
//!
//! `Variant` counts if there is one. Otherwise chess.com's `Rules` and lichess's `Event` do, which
//! some exports leave alone: `Rated Crazyhouse game`, `Casual Atomic game`, `Rated Horde tournament
//! https://lichess.org/tournament/...`. An event that has another form, such as `Atomic City Open`,
//! names no variant.

use std::borrow::Cow;

use memchr::{memchr, memchr2, memchr3};

use crate::pgn::text::{count_blanks, is_blank};

/// A tag is read for at most this many bytes from its `[`. A longer one is unterminated.
pub(crate) const MAX_TAG_LENGTH: usize = 64 * 1024;

/// The longest name of a tag, with the blanks around it.
pub(super) const MAX_NAME_LENGTH: usize = 256;

/// One tag pair, such as `[White "Byrne, Donald"]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Tag<'a> {
    /// The name, as it is written.
    pub name: &'a [u8],
    /// The value between the quotes, still with its backslashes; empty if there are no quotes.
    pub raw_value: &'a [u8],
    /// What is wrong with the tag, if anything.
    pub fault: Option<TagFault>,
    /// Whether the raw value has a backslash.
    pub(super) has_escapes: bool,
}

/// What is wrong with a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TagFault {
    /// The line ends before the closing quote.
    #[error("unterminated")]
    Unterminated,
    /// There is no value in quotes.
    #[error("no value in quotes")]
    NoValue,
    /// Something stands between the closing quote and the bracket.
    #[error("text after the value")]
    Trailing,
}

impl<'a> Tag<'a> {
    fn new(name: &'a [u8], raw_value: &'a [u8], fault: Option<TagFault>) -> Self {
        Self { name, raw_value, fault, has_escapes: memchr(b'\\', raw_value).is_some() }
    }

    /// A tag whose value has no escapes: a backslash stands for itself.
    pub(crate) fn unescaped(name: &'a [u8], value: &'a [u8]) -> Self {
        Self { name, raw_value: value, fault: None, has_escapes: false }
    }

    /// The value with its escapes resolved.
    #[inline]
    pub fn value(&self) -> Cow<'a, [u8]> {
        if self.has_escapes { Cow::Owned(self.unescape()) } else { Cow::Borrowed(self.raw_value) }
    }

    fn unescape(&self) -> Vec<u8> {
        let mut value = Vec::with_capacity(self.raw_value.len());
        let mut bytes = self.raw_value.iter();
        while let Some(byte) = bytes.next() {
            match byte {
                b'\\' => value.extend(bytes.next().or(Some(byte))),
                _ => value.push(*byte),
            }
        }
        value
    }
}

/// Writes a value as it stands between quotes.
pub(crate) fn write_value(bytes: &[u8], out: &mut Vec<u8>) {
    let mut rest = bytes;
    while let Some(escaped) = memchr2(b'"', b'\\', rest) {
        out.extend_from_slice(&rest[..escaped]);
        out.extend_from_slice(&[b'\\', rest[escaped]]);
        rest = &rest[escaped + 1..];
    }
    out.extend_from_slice(rest);
}

/// Writes a tag without its line end.
pub(crate) fn write_tag(name: &[u8], value: &[u8], out: &mut Vec<u8>) {
    out.push(b'[');
    out.extend_from_slice(name);
    out.extend_from_slice(b" \"");
    write_value(value, out);
    out.extend_from_slice(b"\"]");
}

/// Whether bytes that begin with `[` begin a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::pgn) enum TagForm {
    /// A name and an opening quote.
    Quoted,
    /// A name, but no quote after it.
    Bare,
    /// No tag.
    None,
    /// More bytes are needed to decide.
    Undecided,
}

pub(in crate::pgn) fn tag_form(bytes: &[u8]) -> TagForm {
    let Some((b'[', rest)) = bytes.split_first() else { return TagForm::None };
    let rest = &rest[..rest.len().min(MAX_NAME_LENGTH)];
    let is_cut = rest.len() == MAX_NAME_LENGTH;
    let name = &rest[count_blanks(rest)..];
    if name.first().is_some_and(|b| !b.is_ascii_alphabetic()) {
        return TagForm::None;
    }
    let (name, after) = name.split_at(count_name(name));
    let has_blank = after.first().is_some_and(|b| is_blank(*b));
    match after.get(count_blanks(after)) {
        None if !is_cut => TagForm::Undecided,
        Some(b'"') if !name.is_empty() => TagForm::Quoted,
        Some(b']' | b'\n') if !name.is_empty() => TagForm::Bare,
        Some(_) if !name.is_empty() && has_blank => TagForm::Bare,
        _ => TagForm::None,
    }
}

/// Returns how many bytes of a tag name `bytes` begin with.
fn count_name(bytes: &[u8]) -> usize {
    let is_name_byte = |byte: u8| byte.is_ascii_alphanumeric() || b"_-+.#=:".contains(&byte);
    bytes.iter().take_while(|b| is_name_byte(**b)).count()
}

/// Reads the tag at the start of `bytes`, whose [`tag_form`] must be that of a tag, and returns its
/// length as well.
///
/// An unterminated tag takes the rest of its line without the line end. If the line does not end
/// within [`MAX_TAG_LENGTH`], the tag takes that many bytes, and the caller skips the rest.
pub(in crate::pgn) fn read_tag(bytes: &[u8]) -> (Tag<'_>, usize) {
    let bytes = &bytes[..bytes.len().min(MAX_TAG_LENGTH)];
    let name_at = 1 + count_blanks(&bytes[1..]);
    let name = &bytes[name_at..];
    let name = &name[..count_name(name)];
    let name_end = name_at + name.len();
    let after = name_end + count_blanks(&bytes[name_end..]);
    if bytes.get(after) == Some(&b'"') {
        return read_quoted(bytes, name, after + 1);
    }
    let end = memchr2(b']', b'\n', &bytes[after..]);
    let taken = match end.map(|n| after + n) {
        Some(at) => at + usize::from(bytes[at] == b']'),
        None => bytes.len(),
    };
    (Tag::new(name, &bytes[after..after], Some(TagFault::NoValue)), taken)
}

fn read_quoted<'a>(bytes: &'a [u8], name: &'a [u8], value_at: usize) -> (Tag<'a>, usize) {
    let mut at = value_at;
    loop {
        let Some(found) = memchr3(b'"', b'\\', b'\n', bytes.get(at..).unwrap_or_default()) else {
            break (unterminated(name, &bytes[value_at..]), bytes.len());
        };
        at += found;
        match bytes[at] {
            b'"' => {
                let tag = |end| Tag::new(name, &bytes[value_at..end], None);
                let rest = &bytes[at + 1..];
                let blanks = count_blanks(rest);
                break match rest.get(blanks) {
                    Some(b']') => (tag(at), at + 1 + blanks + 1),
                    // The bracket is missing.
                    None | Some(b'\n' | b'[') => (tag(at), at + 1),
                    // A quote that should have been escaped: the value goes on.
                    Some(_) => match closing_quote(rest) {
                        Some((quote, taken)) => (tag(at + 1 + quote), at + 1 + taken),
                        None => {
                            let line = memchr(b'\n', rest).unwrap_or(rest.len());
                            let fault = Some(TagFault::Trailing);
                            (Tag { fault, ..tag(at) }, at + 1 + line)
                        }
                    },
                };
            }
            b'\n' => break (unterminated(name, &bytes[value_at..at]), at),
            // A backslash escapes what follows it on its line.
            _ => at += 1 + usize::from(bytes.get(at + 1).is_some_and(|b| *b != b'\n')),
        }
    }
}

/// Finds the first quote on the line that a bracket follows. Returns its offset and that of the
/// byte after the bracket.
fn closing_quote(rest: &[u8]) -> Option<(usize, usize)> {
    let line = &rest[..memchr(b'\n', rest).unwrap_or(rest.len())];
    memchr::memchr_iter(b'"', line).find_map(|quote| {
        let blanks = count_blanks(&line[quote + 1..]);
        let end = quote + 1 + blanks;
        (line.get(end) == Some(&b']')).then_some((quote, end + 1))
    })
}

fn unterminated<'a>(name: &'a [u8], value: &'a [u8]) -> Tag<'a> {
    Tag::new(name, value.trim_ascii_end(), Some(TagFault::Unterminated))
}

/// The values of `Variant` and `Rules` that mean standard chess, in any case.
const STANDARD_CHESS: [&[u8]; 8] =
    [b"", b"?", b"-", b"Standard", b"From Position", b"Chess", b"Classical", b"Normal"];

/// The variants of lichess, as it writes them in `Event`.
const LICHESS_VARIANTS: [&[u8]; 8] = [
    b"Antichess",
    b"Atomic",
    b"Chess960",
    b"Crazyhouse",
    b"Horde",
    b"King of the Hill",
    b"Racing Kings",
    b"Three-check",
];

/// Whether the value of a `Variant` tag means standard chess.
pub(crate) fn is_standard_chess(variant: &[u8]) -> bool {
    let variant = variant.trim_ascii();
    STANDARD_CHESS.iter().any(|name| variant.eq_ignore_ascii_case(name))
}

/// The variant that the tag of this name and value names, unless it is `Variant` itself, or
/// standard chess.
#[inline]
pub(crate) fn implied_variant<'a>(name: &[u8], value: &'a [u8]) -> Option<&'a [u8]> {
    match name {
        b"Event" => event_variant(value.trim_ascii()),
        b"Rules" => Some(value).filter(|rules| !is_standard_chess(rules)),
        _ => None,
    }
}

/// The variant in an event such as `Rated Atomic game`.
fn event_variant(event: &[u8]) -> Option<&[u8]> {
    let (rated, rest) = event.split_at_checked(event.iter().position(|byte| *byte == b' ')? + 1)?;
    if !rated.eq_ignore_ascii_case(b"Rated ") && !rated.eq_ignore_ascii_case(b"Casual ") {
        return None;
    }
    LICHESS_VARIANTS.iter().find_map(|name| {
        let (variant, after) = rest.split_at_checked(name.len())?;
        (variant.eq_ignore_ascii_case(name) && is_kind_of_event(after)).then_some(variant)
    })
}

/// Whether this follows a variant in an event: ` game`, or the address of a tournament.
fn is_kind_of_event(after: &[u8]) -> bool {
    let kinds: [&[u8]; 2] = [b" tournament https://", b" swiss https://"];
    let begins_with =
        |kind: &[u8]| after.get(..kind.len()).is_some_and(|start| start.eq_ignore_ascii_case(kind));
    after.eq_ignore_ascii_case(b" game") || kinds.into_iter().any(begins_with)
}
