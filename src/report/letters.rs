//! The width of text, which nobody measures for a page that any system draws with its own font.
//!
//! The widths are those of wide system fonts, so a text is rather narrower than it is taken for.

use unicode_width::UnicodeWidthChar;

/// The width of a character, as a part of the size of the font.
fn char_width(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | '\'' | '|' | '.' | ',' | ':' | ';' | '!' | 'I' => 0.32,
        'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '/' | '-' | ' ' | '\u{a0}' => 0.4,
        'm' | 'w' | 'M' | 'W' | '%' | '@' | '…' => 0.95,
        'A'..='Z' => 0.74,
        '0'..='9' | 'a'..='z' => 0.6,
        _ => match c.width() {
            Some(0) | None => 0.0,
            Some(1) => 0.75,
            Some(_) => 1.1,
        },
    }
}

/// The width of a text in a font of a size; it is rather less.
pub(super) fn width(text: &str, size: f64) -> f64 {
    text.chars().map(char_width).sum::<f64>() * size
}

/// As much of a text as fits; `None` if that would say too little.
pub(super) fn fit(text: &str, size: f64, room: f64) -> Option<String> {
    /// A text is not cut to fewer characters.
    const LEAST: usize = 4;
    if width(text, size) <= room {
        return Some(text.to_owned());
    }
    let mut rest = room - width("…", size);
    let mut kept = String::new();
    for c in text.chars() {
        rest -= char_width(c) * size;
        if rest < 0.0 {
            break;
        }
        kept.push(c);
    }
    let kept = kept.trim_end_matches([' ', ',', ':', '-']);
    (kept.chars().count() >= LEAST).then(|| format!("{kept}…"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_where_it_does_not_fit() {
        assert_eq!(fit("Sicilian", 10.0, 100.0).as_deref(), Some("Sicilian"));
        assert_eq!(fit("Sicilian Defense", 10.0, 55.0).as_deref(), Some("Sicilian…"));
        assert_eq!(fit("Sicilian Defense", 10.0, 20.0), None);
        assert_eq!(fit("e4", 10.0, 15.0).as_deref(), Some("e4"));
        for room in 0..200 {
            let cut = fit("Queen's Gambit Declined: 東京", 11.0, f64::from(room));
            assert!(cut.is_none_or(|text| width(&text, 11.0) <= f64::from(room)), "{room}");
        }
    }
}
