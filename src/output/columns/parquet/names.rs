//! A column of names as two pages.
//!
//! The first has the names. The second has, in the words of the format, the definition levels,
//! which say whether a row has a name, and the numbers of the names that there are, both in its
//! hybrid of runs and packed bits.
//!
//! These pages have a budget: with the dictionaries that `parquet` makes, rows as Parquet took 12 %
//! more instructions (`valgrind --tool=callgrind eco classify -j 1 -f parquet`; 2026-11). Where it
//! comes within 5 %, they go.

use arrow_array::types::Int32Type;
use arrow_array::{Array, DictionaryArray, Int32Array, StringArray, cast::AsArray};
use bytes::Bytes;
use parquet::basic::{Compression, Encoding, EncodingMask, PageType, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::file::metadata::{ColumnChunkMetaData, PageEncodingStats};
use parquet::file::statistics::Statistics;
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::{data_type::ByteArray, errors::ParquetError, schema::types::ColumnDescPtr};
use zstd::bulk::Compressor;

/// The pages of the names of all rows of a group, and what the file has to say of them.
pub(super) fn encode_names(
    column: &ColumnDescPtr,
    rows: &DictionaryArray<Int32Type>,
) -> Result<(Bytes, ColumnCloseResult), ParquetError> {
    let names = rows.values().as_string();
    let mut out = TrackedWrite::new(Vec::new());
    let level = ZstdLevel::default();
    let mut compressor = Compressor::new(level.compression_level())?;
    let mut write = |page: &[u8], wrap: fn(Bytes, u32) -> Page, count: usize| {
        let compressed = compressor.compress(page)?;
        let wrapped = wrap(compressed.into(), count.try_into()?);
        let wrapped = CompressedPage::new(wrapped, page.len());
        SerializedPageWriter::new(&mut out).write_page(wrapped)
    };
    let first = write(&plain(names), names_page, names.len())?;
    let second = write(&numbered(rows.keys(), names.len()), rows_page, rows.len())?;
    let metadata = ColumnChunkMetaData::builder(ColumnDescPtr::clone(column))
        .set_compression(Compression::ZSTD(level))
        .set_encodings_mask(EncodingMask::new_from_encodings(ENCODINGS.iter()))
        .set_page_encoding_stats(page_encodings())
        .set_num_values(rows.len().try_into()?)
        .set_statistics(statistics(rows, names))
        .set_total_compressed_size((first.compressed_size + second.compressed_size).try_into()?)
        .set_total_uncompressed_size(
            (first.uncompressed_size + second.uncompressed_size).try_into()?,
        )
        .set_dictionary_page_offset(Some(first.offset.try_into()?))
        .set_data_page_offset(second.offset.try_into()?)
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: first.bytes_written + second.bytes_written,
        rows_written: rows.len() as u64,
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: None,
    };
    Ok((out.into_inner()?.into(), close))
}

/// The first and the last name, and how many rows have none. There are few names.
fn statistics(rows: &DictionaryArray<Int32Type>, names: &StringArray) -> Statistics {
    let name = |name: Option<&str>| name.map(ByteArray::from);
    let [first, last] = [names.iter().flatten().min(), names.iter().flatten().max()].map(name);
    Statistics::byte_array(first, last, None, Some(rows.null_count() as u64), false)
}

const ENCODINGS: [Encoding; 3] = [Encoding::PLAIN, Encoding::RLE, Encoding::RLE_DICTIONARY];

fn page_encodings() -> Vec<PageEncodingStats> {
    let page = |page_type, encoding| PageEncodingStats { page_type, encoding, count: 1 };
    vec![
        page(PageType::DICTIONARY_PAGE, Encoding::PLAIN),
        page(PageType::DATA_PAGE, Encoding::RLE_DICTIONARY),
    ]
}

fn names_page(buf: Bytes, num_values: u32) -> Page {
    Page::DictionaryPage { buf, num_values, encoding: Encoding::PLAIN, is_sorted: false }
}

fn rows_page(buf: Bytes, num_values: u32) -> Page {
    Page::DataPage {
        buf,
        num_values,
        encoding: Encoding::RLE_DICTIONARY,
        def_level_encoding: Encoding::RLE,
        rep_level_encoding: Encoding::RLE,
        statistics: None,
    }
}

/// Names, each after its length.
fn plain(names: &StringArray) -> Vec<u8> {
    let mut page = Vec::with_capacity(names.value_data().len() + 4 * names.len());
    for name in names.iter().flatten() {
        page.extend_from_slice(&(name.len() as u32).to_le_bytes());
        page.extend_from_slice(name.as_bytes());
    }
    page
}

/// The definition levels of the rows after their length, the width of the numbers, the numbers.
fn numbered(rows: &Int32Array, names: usize) -> Vec<u8> {
    let mut page = vec![0; size_of::<u32>()];
    let width = usize::BITS - names.saturating_sub(1).leading_zeros();
    match rows.nulls() {
        None => {
            write_run(rows.len(), 1, 1, &mut page);
            end_levels(&mut page);
            write_numbers(width, rows.values(), &mut page);
        }
        Some(nulls) => {
            let levels: Vec<i32> = nulls.iter().map(i32::from).collect();
            write_hybrid(1, &levels, &mut page);
            end_levels(&mut page);
            let named: Vec<i32> = rows.iter().flatten().collect();
            write_numbers(width, &named, &mut page);
        }
    }
    page
}

/// Writes the length of the levels before them.
fn end_levels(page: &mut [u8]) {
    let (length, levels) = page.split_at_mut(size_of::<u32>());
    length.copy_from_slice(&(levels.len() as u32).to_le_bytes());
}

fn write_numbers(width: u32, numbers: &[i32], page: &mut Vec<u8>) {
    page.push(width as u8);
    write_hybrid(width, numbers, page);
}

/// The number of values that are packed together. Fewer equal values are not a run.
const GROUP: usize = 8;

/// Writes values of as many bits each: those that repeat as runs, what is between them packed.
fn write_hybrid(width: u32, values: &[i32], page: &mut Vec<u8>) {
    // What begins at `packed` is to be packed up to `at`, in whole groups.
    let (mut packed, mut at) = (0, 0);
    while at < values.len() {
        let rest = &values[at..];
        let run = rest.iter().take_while(|value| **value == rest[0]).count();
        if run < GROUP {
            at += GROUP.min(rest.len());
            continue;
        }
        write_packed(width, &values[packed..at], page);
        write_run(run, rest[0], width, page);
        at += run;
        packed = at;
    }
    write_packed(width, &values[packed..], page);
}

/// Writes a run of a value.
fn write_run(count: usize, value: i32, width: u32, page: &mut Vec<u8>) {
    write_varint(count << 1, page);
    page.extend_from_slice(&value.to_le_bytes()[..width.div_ceil(8) as usize]);
}

/// Writes values in groups, unless there are none; the last group is filled with zeros.
fn write_packed(width: u32, values: &[i32], page: &mut Vec<u8>) {
    let groups = values.len().div_ceil(GROUP);
    if groups == 0 {
        return;
    }
    write_varint(groups << 1 | 1, page);
    let end = page.len() + groups * width as usize;
    page.reserve(end - page.len() + size_of::<u32>());
    let (mut bits, mut filled) = (0_u64, 0);
    for value in values {
        bits |= u64::from(*value as u32) << filled;
        filled += width;
        if filled >= u32::BITS {
            page.extend_from_slice(&(bits as u32).to_le_bytes());
            bits >>= u32::BITS;
            filled -= u32::BITS;
        }
    }
    page.extend_from_slice(&(bits as u32).to_le_bytes());
    page.resize(end, 0);
}

/// Writes seven bits a byte, the lowest first; the highest bit says whether others follow.
fn write_varint(mut number: usize, page: &mut Vec<u8>) {
    while number > 0x7f {
        page.push(number as u8 | 0x80);
        number >>= 7;
    }
    page.push(number as u8);
}
