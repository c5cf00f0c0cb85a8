//! The obvious version: a game as lines of text, some of which are tags.
//!
//! It is the oracle that the tagger is tested against. It handles only simple games: every tag has
//! a line of its own, the tags come first and without a gap, and at least one is not managed.

/// The managed tags for a code and a whole name. Without an opening there should be none.
pub(crate) fn wanted(
    code: Option<&str>,
    name: Option<&str>,
) -> Vec<(&'static str, Option<String>)> {
    let mut wanted = vec![("ECO", code.map(str::to_owned)), ("Opening", name.map(str::to_owned))];
    let none = ["Variation", "SubVariation", "MoveOrderECO", "MoveOrderOpening"];
    wanted.extend(none.map(|name| (name, None)));
    wanted.extend(["MoveOrderVariation", "MoveOrderSubVariation", "ECOSource"].map(|n| (n, None)));
    wanted
}

/// The game with these tags set and removed.
pub(crate) fn set(game: &[u8], wanted: &[(&'static str, Option<String>)]) -> Vec<u8> {
    let lines: Vec<&[u8]> = game.split_inclusive(|b| *b == b'\n').collect();
    let count = lines.iter().take_while(|line| line.starts_with(b"[")).count();
    let (tags, moves) = lines.split_at(count);
    let mut written: Vec<Vec<u8>> = Vec::new();
    let mut seen = Vec::new();
    for line in tags {
        match wanted.iter().find(|(name, _)| is_tag(line, name)) {
            None => written.push(line.to_vec()),
            Some((name, Some(value))) if !seen.contains(name) => {
                seen.push(*name);
                written.push(tag_line(name, value, line));
            }
            Some(_) => {}
        }
    }
    for (name, value) in wanted {
        let last = tags.last().copied().unwrap_or_default();
        match value {
            Some(value) if !seen.contains(name) => written.push(tag_line(name, value, last)),
            _ => {}
        }
    }
    [written.concat(), moves.concat()].concat()
}

fn is_tag(line: &[u8], name: &str) -> bool {
    line.starts_with(format!("[{name} \"").as_bytes())
}

/// A tag with the line end of another.
fn tag_line(name: &str, value: &str, other: &[u8]) -> Vec<u8> {
    let line_end = if other.ends_with(b"\r\n") { "\r\n" } else { "\n" };
    let value = value.replace('\\', "\\\\").replace('"', "\\\"");
    format!("[{name} \"{value}\"]{line_end}").into_bytes()
}
