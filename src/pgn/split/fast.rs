//! The fast path for the ends of lines of movetext.
//!
//! Nearly all lines end in a square, a sign of check or mate, a castling move, or a result after a
//! space. `None` means: ask the plain form.

/// Whether text ends in a result, if it ends as nearly all text does.
#[inline(always)]
pub(super) fn ends_in_result(text: &[u8]) -> Option<bool> {
    if ends_in_square(text) { Some(false) } else { ends_in_other(text) }
}

/// Whether text ends in a square, and perhaps a carriage return.
#[inline(always)]
fn ends_in_square(text: &[u8]) -> bool {
    let Some([before, file, rank]) = text.last_chunk().copied() else { return false };
    let (file, rank) = if rank == b'\r' { (before, file) } else { (file, rank) };
    // One branch for both conditions.
    (file.wrapping_sub(b'a') < 8) & (rank.wrapping_sub(b'1') < 8)
}

#[inline(never)]
fn ends_in_other(text: &[u8]) -> Option<bool> {
    let line = text.strip_suffix(b"\r").unwrap_or(text);
    if let Some(b'+' | b'#' | b'O') = line.last() {
        return Some(false);
    }
    let results = [&b" 1-0"[..], b" 0-1", b" 1/2-1/2", b" *"];
    results.iter().any(|result| line.ends_with(result)).then_some(true)
}
