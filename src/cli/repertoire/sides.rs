//! Whether what `eco repertoire add` reads is for the side of the repertoire: as `Orientation` tags
//! of chapters say, or else as their lines do.

use eco::quoted::counted;
use eco::repertoire::{Preparation, PreparedChapter, PreparedSource};
use eco::{chess::Color, output::sanitize};

/// The tag that says which side a chapter is seen from.
const TAG: &str = "Orientation";

/// The side that a chapter is for, as its tags say.
fn side_of(chapter: &PreparedChapter) -> Option<Color> {
    let value = chapter.tags.iter().find(|(name, _)| name == TAG).map(|(_, value)| value.trim())?;
    let is_named = |side: &Color| value.eq_ignore_ascii_case(&side.to_string());
    [Color::White, Color::Black].into_iter().find(is_named)
}

/// What says that a source is for the other side than this one; `None` if nothing does.
pub(super) fn contradiction(source: &PreparedSource, side: Color) -> Option<String> {
    let chapters = source.chapters.len();
    let (other, name) = (!side, sanitize(source.name.as_bytes()).into_owned());
    let is_for = |wanted: Option<Color>| move |c: &&PreparedChapter| side_of(c) == wanted;
    let turned = source.chapters.iter().filter(is_for(Some(other))).count();
    let reason = if turned > 0 {
        let of = counted(chapters, "chapter");
        format!("[{TAG} \"{other}\"] in {turned} of {of}")
    } else {
        let silent = source.chapters.iter().filter(is_for(None)).cloned().collect();
        let source = PreparedSource { name: String::new(), chapters: silent };
        let book = Preparation::new(vec![source]).to_book(side);
        if book.owner() != Some(other) {
            return None;
        }
        let [own, of_other] = [side, other].map(|side| book.choices(side));
        let positions = counted(own, "position");
        format!("{side} has several moves in {positions}, {other} in {of_other}")
    };
    Some(format!("{name} seems to be for {other}: {reason}"))
}
