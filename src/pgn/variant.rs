//! Which variant of chess a game is of, by its tags.
//!
//! `Variant` counts if there is one. Otherwise chess.com's `Rules` and lichess's `Event` do, which
//! some exports leave alone: `Rated Crazyhouse game`, `Casual Atomic game`, `Rated Horde tournament
//! https://lichess.org/tournament/...`. An event that has another form, such as `Atomic City Open`,
//! names no variant.

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
    let begins_with = |kind: &[u8]| {
        after
            .split_at_checked(kind.len())
            .is_some_and(|(start, _)| start.eq_ignore_ascii_case(kind))
    };
    after.eq_ignore_ascii_case(b" game") || kinds.into_iter().any(begins_with)
}
