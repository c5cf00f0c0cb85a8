//! Packs the tables of names, which then take a quarter of the room.

use std::{env, fs, io, path::Path};

const TABLES: &str = "data/names";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed={TABLES}");
    let folder = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    for entry in fs::read_dir(TABLES)? {
        let path = entry?.path();
        let Some(name) = path.file_name().filter(|_| path.extension().is_some_and(|e| e == "tsv"))
        else {
            continue;
        };
        let packed = miniz_oxide::deflate::compress_to_vec(&fs::read(&path)?, 10);
        fs::write(Path::new(&folder).join(name), packed)?;
    }
    Ok(())
}
