//! Reading the tag section of a game.
//!
//! The main question is where a game is in doubt: where an edit might make its bytes, or those
//! after it, mean something else. Such games are left alone.

mod fast;

use memchr::{memchr, memmem, memrchr};

use super::section::{ManagedTag, Section, TagNames, is_closed, is_space, line_end_after};
use crate::classify::Header;
use crate::pgn::{BYTE_ORDER_MARK, Game, MainLine, PlacedTag, TagFault};

/// Reads the tags of a game into `section`. Returns the other tags and the moves.
pub(super) fn read<'g>(
    game: &Game<'g>,
    names: TagNames<'_>,
    section: &mut Section<'g>,
) -> (Header<'g>, MainLine<'g>) {
    section.clear();
    match fast::read(game, names, section) {
        Some(read) => read,
        None => read_any(game, names, section),
    }
}

/// Reads the tags of any game.
pub(super) fn read_any<'g>(
    game: &Game<'g>,
    names: TagNames<'_>,
    section: &mut Section<'g>,
) -> (Header<'g>, MainLine<'g>) {
    section.clear();
    let mut placed = game.tags().placed();
    let tags: Vec<PlacedTag<'g>> = placed.by_ref().collect();
    let mut after_other = None;
    for tag in &tags {
        match names.find(tag.tag.name) {
            Some(slot) => {
                section.managed.push(ManagedTag::new(slot, tag.clone(), after_other.take()));
            }
            None => {
                let end = tag.span.end;
                section.first_other.get_or_insert(tag.span.start);
                if is_closed(game.bytes(), end) {
                    section.last_other = Some(end);
                }
                after_other = Some(end);
            }
        }
    }
    let goes_on = game.is_cut() && placed.position() == game.bytes().len();
    section.is_doubtful = goes_on || Doubts { game: game.bytes(), names, tags: &tags }.has_any();
    let header = Header::read(tags.iter().map(|tag| tag.tag));
    (header, placed.into_main_line())
}

/// The reasons to leave a game alone.
struct Doubts<'t, 'g, 'n> {
    game: &'g [u8],
    names: TagNames<'n>,
    tags: &'t [PlacedTag<'g>],
}

impl Doubts<'_, '_, '_> {
    fn has_any(&self) -> bool {
        self.tags.iter().any(|tag| self.has_uncertain_end(tag))
            || self.has_odd_gaps()
            || self.repeats_first()
            || self.begins_oddly()
            || self.ends_oddly()
    }

    fn is_managed(&self, tag: &PlacedTag<'_>) -> bool {
        self.names.find(tag.tag.name).is_some()
    }

    /// Whether a tag may be something else than it seems.
    fn has_uncertain_end(&self, placed: &PlacedTag<'_>) -> bool {
        let PlacedTag { tag, span, .. } = placed;
        match (tag.fault, self.is_managed(placed)) {
            (Some(TagFault::Unterminated), _) | (Some(TagFault::Trailing), true) => true,
            // The bracket that ends it may be that of another tag.
            (None, true) if !is_closed(self.game, span.end) => true,
            // An unescaped quote, with a bracket: there may be two tags.
            (None, true) => memchr(b'[', tag.raw_value).is_some() && has_bare_quote(tag.raw_value),
            _ => false,
        }
    }

    /// Whether a comment between two tags contains a tag line, and so may never have been closed;
    /// or text comes before a managed tag on its line.
    fn has_odd_gaps(&self) -> bool {
        self.tags.windows(2).any(|pair| {
            let gap = self.gap(pair);
            let indent = &gap[memrchr(b'\n', gap).map_or(0, |n| n + 1)..];
            let is_indented = indent.iter().all(|b| is_space(*b));
            // Nearly all gaps are a line end.
            (self.is_managed(&pair[1]) && !is_indented)
                || (gap.len() > 2 && memmem::find(gap, b"\n[").is_some())
        })
    }

    fn gap(&self, pair: &[PlacedTag<'_>]) -> &[u8] {
        &self.game[pair[0].span.end..pair[1].span.start]
    }

    /// Whether another tag has the name of the first: at the start of a line it would begin a game.
    fn repeats_first(&self) -> bool {
        let mut names = self.tags.iter().map(|tag| tag.tag.name);
        names.next().is_some_and(|first| names.any(|name| name == first))
    }

    /// Whether the game would begin with something else than a good tag if its first tags went.
    fn begins_oddly(&self) -> bool {
        let pairs = self.tags.windows(2).take_while(|pair| self.is_managed(&pair[0]));
        let mut pairs = pairs.map(|pair| (self.gap(pair), pair[1].tag.fault));
        pairs.any(|(gap, fault)| fault.is_some() || !gap.iter().all(|b| is_space(*b)))
    }

    /// Whether the last tag is followed on its line by something that would mean something else at
    /// the start of a line.
    fn ends_oddly(&self) -> bool {
        let Some(last) = self.tags.last() else { return false };
        let (before, rest) = self.game.split_at(line_end_after(self.game, last.span.end));
        let is_odd = rest.first() == Some(&b'%') || rest.starts_with(BYTE_ORDER_MARK);
        is_odd && before.last() != Some(&b'\n')
    }
}

fn has_bare_quote(value: &[u8]) -> bool {
    let mut is_escaped = false;
    value.iter().any(|byte| {
        let is_bare = *byte == b'"' && !is_escaped;
        is_escaped = *byte == b'\\' && !is_escaped;
        is_bare
    })
}

#[cfg(test)]
mod tests;
