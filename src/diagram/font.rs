//! Which characters a font has: its character map, as far as that needs to be read.
//!
//! The OpenType specification describes the tables: "cmap", with its subtable of format 4, which
//! all fonts for Windows have.

/// Whether a font has a glyph for a character of the basic plane; others count as missing.
pub(super) fn has_glyph(font: &[u8], c: char) -> bool {
    let Ok(code) = u16::try_from(u32::from(c)) else { return false };
    subtable(font).and_then(|table| glyph(table, code)).is_some_and(|glyph| glyph != 0)
}

fn u16_at(bytes: &[u8], at: usize) -> Option<u16> {
    bytes.get(at..)?.first_chunk().map(|bytes| u16::from_be_bytes(*bytes))
}

fn u32_at(bytes: &[u8], at: usize) -> Option<usize> {
    let bytes = bytes.get(at..)?.first_chunk()?;
    usize::try_from(u32::from_be_bytes(*bytes)).ok()
}

/// The first subtable of format 4.
fn subtable(font: &[u8]) -> Option<&[u8]> {
    let tables = 0..usize::from(u16_at(font, 4)?);
    let is_map =
        |table: &usize| font.get(12 + 16 * table..).is_some_and(|b| b.starts_with(b"cmap"));
    let table = tables.into_iter().find(is_map)?;
    let map = font.get(u32_at(font, 12 + 16 * table + 8)?..)?;
    let mut subtables = 0..usize::from(u16_at(map, 2)?);
    subtables.find_map(|index| {
        let subtable = map.get(u32_at(map, 4 + 8 * index + 4)?..)?;
        (u16_at(subtable, 0)? == 4).then_some(subtable)
    })
}

/// The number of the glyph of a character: segments of codes, each with its last and its first
/// code, a number to add, and where its glyphs are listed, if they are not consecutive.
fn glyph(table: &[u8], code: u16) -> Option<u16> {
    let twice = usize::from(u16_at(table, 6)?);
    let last = |segment: usize| u16_at(table, 14 + 2 * segment);
    let segment = (0..twice / 2).find(|segment| last(*segment).is_some_and(|last| last >= code))?;
    let field = |index: usize| 16 + index * twice + 2 * segment;
    let first = u16_at(table, field(1))?;
    let offset = code.checked_sub(first)?;
    let delta = u16_at(table, field(2))?;
    let list = usize::from(u16_at(table, field(3))?);
    if list == 0 {
        return Some(code.wrapping_add(delta));
    }
    match u16_at(table, field(3) + list + 2 * usize::from(offset))? {
        0 => Some(0),
        glyph => Some(glyph.wrapping_add(delta)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_font_has_what_its_readme_says() {
        let font = include_bytes!("../../data/fonts/DejaVuSans.ttf");
        for c in "aZ09\u{e9}\u{42f}\u{3a9}\u{2654}\u{265f}\u{b1}\u{2213}\u{221e}\u{2026}".chars() {
            assert!(has_glyph(font, c), "{c}");
        }
        for c in "\u{2a72}\u{2a71}\u{65e5}\u{1f600}\u{ac00}".chars() {
            assert!(!has_glyph(font, c), "{c}");
        }
        assert!(!has_glyph(b"", 'a') && !has_glyph(&font[..100], 'a'));
    }
}
