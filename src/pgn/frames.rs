//! Where the frames of a compressed file end, found without unpacking them.
//!
//! Three layouts are known. Of each, the bytes from the start of one frame to the start of another
//! are a compressed file of their own.
//!
//! * Frames of zstd, one after the other ([RFC 8878]). Their blocks say how long they are. zstd's
//!   seekable format is one of these files: its table is a skippable frame, and is not needed.
//! * The same as `pzstd` writes them: before each frame, a skippable frame of 12 bytes gives its
//!   length.
//! * Members of gzip as `bgzip` writes them: an extra field of each gives its length.
//!
//! A length that is given may be wrong. Whoever unpacks finds out: a range of the file that begins
//! with a frame can be unpacked to its end without an error only if it ends with a frame too.
//!
//! [RFC 8878]: https://www.rfc-editor.org/rfc/rfc8878

use std::io;

use super::compression::Compression;
use super::source::readers::{ReadAt, read_there};

/// A frame that is longer, in compressed bytes, is not searched for its end.
const MAX_FRAME: u64 = 16 << 20;

/// Short frames are put together until they are this long, in compressed bytes. Those of tests are
/// shorter still.
const MIN_GROUP: u64 = if cfg!(test) { 100 } else { 512 << 10 };

/// What begins at an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// Frames that end at this offset.
    Frames { end: u64 },
    /// Nothing: the file ends here.
    End,
    /// No frame whose end can be found: the file is damaged or cut off, the frame is too long, or
    /// it is of another layout.
    Unknown,
}

/// How the frames of a compressed file are listed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Listing {
    /// Block by block: a few bytes of each block are read, and no length that is given is used.
    #[default]
    Blocks,
    /// By the lengths that `pzstd` and `bgzip` give: a few bytes of each frame are read, as suits a
    /// file in a store. Frames without a length are listed block by block if they are shorter than
    /// 16 MiB; from a longer one on, the file is one part. A length that is wrong can make parts
    /// that cannot be read; it cannot make parts with other games.
    Lengths,
}

impl Listing {
    /// The longest frame that is found.
    fn limit(self) -> u64 {
        match self {
            Self::Lengths => MAX_FRAME,
            Self::Blocks => u64::MAX,
        }
    }
}

/// Finds the end of the frame at `at`, and of as many more as make a group.
pub(super) fn find_group(
    file: &dyn ReadAt,
    compression: Compression,
    at: u64,
) -> io::Result<Found> {
    let mut end = at;
    while end - at < MIN_GROUP {
        match find_frame(file, compression, end, Listing::Lengths)? {
            Found::Frames { end: next } => end = next,
            found if end == at => return Ok(found),
            Found::End | Found::Unknown => break,
        }
    }
    Ok(Found::Frames { end })
}

/// Whether a part of the file can begin at `at`: the end of the frame there is found in one way.
pub(super) fn is_cut(file: &dyn ReadAt, compression: Compression, at: u64) -> io::Result<bool> {
    // Frames may be too long for the first way, and blocks damaged, so that the second finds none.
    for listing in [Listing::Lengths, Listing::Blocks] {
        if find_frame(file, compression, at, listing)? != Found::Unknown {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Finds the end of the frame at `at`.
pub(super) fn find_frame(
    file: &dyn ReadAt,
    compression: Compression,
    at: u64,
    listing: Listing,
) -> io::Result<Found> {
    let mut header = [0; 64];
    let header = read_there(file, &mut header, at)?;
    if header.is_empty() {
        return Ok(Found::End);
    }
    let end = match compression {
        Compression::Zstd => zstd_end(file, header, at, listing)?,
        Compression::Gzip => bgzip_end(header, at),
        Compression::Plain | Compression::Bzip2 | Compression::Xz => None,
    };
    match end {
        Some(end) if end - at <= listing.limit() && reaches(file, end)? => {
            Ok(Found::Frames { end })
        }
        _ => Ok(Found::Unknown),
    }
}

/// Whether the file has all bytes before `end`.
fn reaches(file: &dyn ReadAt, end: u64) -> io::Result<bool> {
    Ok(!read_there(file, &mut [0], end - 1)?.is_empty())
}

fn zstd_end(
    file: &dyn ReadAt,
    header: &[u8],
    at: u64,
    listing: Listing,
) -> io::Result<Option<u64>> {
    match header {
        // A skippable frame of four bytes, as pzstd writes it before each frame.
        [0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, length @ ..] if length.len() >= 4 => {
            let (frame, header) = (at + 12, &header[12..]);
            let is_frame = header.starts_with(&ZSTD_MAGIC);
            // It is of no use without the frame.
            if is_frame && listing == Listing::Blocks {
                return walk_blocks(file, header, frame, u64::MAX);
            }
            let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]);
            let end = frame + u64::from(length);
            let is_likely = is_frame && listing == Listing::Lengths && begins_frame(file, end)?;
            Ok(Some(if is_likely { end } else { frame }))
        }
        [0x50..=0x5f, 0x2a, 0x4d, 0x18, a, b, c, d, ..] => {
            Ok(Some(at + 8 + u64::from(u32::from_le_bytes([*a, *b, *c, *d]))))
        }
        _ if header.starts_with(&ZSTD_MAGIC) => walk_blocks(file, header, at, listing.limit()),
        _ => Ok(None),
    }
}

const ZSTD_MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Whether a frame of zstd begins at `at`, or the file ends there, and not before.
fn begins_frame(file: &dyn ReadAt, at: u64) -> io::Result<bool> {
    let mut magic = [0; 4];
    match read_there(file, &mut magic, at)? {
        [] => reaches(file, at),
        magic => Ok(magic == ZSTD_MAGIC || matches!(magic, [0x50..=0x5f, 0x2a, 0x4d, 0x18])),
    }
}

/// Goes from block to block of a zstd frame.
fn walk_blocks(file: &dyn ReadAt, header: &[u8], at: u64, limit: u64) -> io::Result<Option<u64>> {
    let Some(descriptor) = header.get(4) else { return Ok(None) };
    let is_single_segment = descriptor & 0x20 != 0;
    let has_checksum = descriptor & 0x04 != 0;
    let window = u64::from(!is_single_segment);
    let dictionary = [0, 1, 2, 4][usize::from(descriptor & 0x03)];
    let content_size = match descriptor >> 6 {
        0 => u64::from(is_single_segment),
        power => 1 << power,
    };
    let mut end = at + 5 + window + dictionary + content_size;
    loop {
        let mut block = [0; 3];
        let [a, b, c] = *read_there(file, &mut block, end)? else { return Ok(None) };
        let block = u32::from_le_bytes([a, b, c, 0]);
        let length = match (block >> 1) & 3 {
            // Raw and compressed blocks.
            0 | 2 => u64::from(block >> 3),
            // One byte that is repeated.
            1 => 1,
            _ => return Ok(None),
        };
        end += 3 + length;
        if block & 1 == 1 {
            return Ok(Some(end + if has_checksum { 4 } else { 0 }));
        }
        if end - at > limit {
            return Ok(None);
        }
    }
}

/// The end of a member of gzip with the extra field `BC`.
fn bgzip_end(header: &[u8], at: u64) -> Option<u64> {
    let [0x1f, 0x8b, 8, flags, _, _, _, _, _, _, low, high, extra @ ..] = header else {
        return None;
    };
    let length = usize::from(u16::from_le_bytes([*low, *high]));
    let mut fields = extra.get(..length).filter(|_| flags & 4 != 0)?;
    while let [id_1, id_2, low, high, rest @ ..] = fields {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (value, after) = rest.split_at_checked(length)?;
        if let ([b'B', b'C'], [low, high]) = ([*id_1, *id_2], value) {
            return Some(at + u64::from(u16::from_le_bytes([*low, *high])) + 1);
        }
        fields = after;
    }
    None
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    fn frame(text: &[u8], checksum: bool) -> Vec<u8> {
        let mut encoder = zstd::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(checksum).unwrap();
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    }

    fn pzstd_header(length: usize) -> Vec<u8> {
        let length = u32::try_from(length).unwrap().to_le_bytes();
        [&[0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0][..], &length].concat()
    }

    fn find(file: &[u8], at: usize) -> Found {
        find_frame(&file.to_vec(), Compression::Zstd, at as u64, Listing::Lengths).unwrap()
    }

    fn ends_at(end: usize) -> Found {
        Found::Frames { end: end as u64 }
    }

    #[test]
    fn frames_of_zstd_end_where_their_blocks_do() {
        let texts: [&[u8]; 5] = [b"", b"a", &b"ab".repeat(100_000), &[b'x'; 500_000], b"1. e4 *"];
        for text in texts {
            for checksum in [false, true] {
                let one = frame(text, checksum);
                let bulk = zstd::bulk::compress(text, 3).unwrap();
                let file = [&one[..], &bulk, &one].concat();
                assert_eq!(find(&file, 0), ends_at(one.len()));
                assert_eq!(find(&file, one.len()), ends_at(one.len() + bulk.len()));
                assert_eq!(find(&file, one.len() + bulk.len()), ends_at(file.len()));
                assert_eq!(find(&file, file.len()), Found::End);
                for cut in 1..one.len().min(40) {
                    assert_eq!(find(&one[..one.len() - cut], 0), Found::Unknown, "{cut} less");
                }
            }
        }
    }

    #[test]
    fn what_pzstd_writes_before_a_frame_gives_its_end_if_that_can_be_right() {
        let one = frame(b"1. e4 e5 *", true);
        let whole = 12 + one.len();
        for (length, end) in [
            (one.len(), whole),
            // Nothing that begins a frame is there: the next is found by itself.
            (one.len() - 1, 12),
            (one.len() + 1, 12),
            // Beyond the end of the file.
            (10_000_000, 12),
            // A range that is no frame; it cannot be unpacked.
            (one.len() + 12, whole + 12),
        ] {
            let file = [&pzstd_header(length)[..], &one, &pzstd_header(one.len()), &one].concat();
            assert_eq!(find(&file, 0), ends_at(end), "{length}");
        }
        let table = [&[0x5e, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3][..], &one].concat();
        assert_eq!(find(&table, 0), ends_at(11));
        assert_eq!(find(b"PGN", 0), Found::Unknown);
    }

    #[test]
    fn members_of_bgzip_give_their_end() {
        let mut member = vec![0x1f, 0x8b, 8, 4, 0, 0, 0, 0, 0, 255, 12, 0];
        member.extend_from_slice(b"XY\x02\x00??BC\x02\x00\x1d\x00......");
        let find = |member: &[u8]| {
            find_frame(&member.to_vec(), Compression::Gzip, 0, Listing::Lengths).unwrap()
        };
        assert_eq!(find(&member), ends_at(30));
        assert_eq!(find(&member[..29]), Found::Unknown);
        member[3] = 0;
        assert_eq!(find(&member), Found::Unknown);
    }

    #[test]
    fn short_frames_are_put_together() {
        let one = frame(b"1. e4 e5 *", true);
        let group = |file: &[u8]| find_group(&file.to_vec(), Compression::Zstd, 0).unwrap();
        let count = (MIN_GROUP as usize).div_ceil(one.len());
        assert!(count > 2);
        assert_eq!(group(&one.repeat(2 * count)), ends_at(count * one.len()));
        assert_eq!(group(&one.repeat(2)), ends_at(2 * one.len()));
        assert_eq!(group(&[&one[..], b"no frame"].concat()), ends_at(one.len()));
        assert_eq!(group(b"no frame"), Found::Unknown);
    }
}
