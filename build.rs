//! Packs files that few runs read, which then take a quarter of the room.

use std::{env, fs, io, path::Path};

/// The folders, and the ending of what is packed there.
const FILES: [(&str, &str); 4] = [
    ("data/names", "tsv"),
    ("data/openings", "tsv"),
    ("data/fonts", "ttf"),
    ("src/web/page", "js"),
];

fn main() -> io::Result<()> {
    let packed = env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?;
    for (folder, ending) in FILES {
        println!("cargo::rerun-if-changed={folder}");
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) =
                path.file_name().filter(|_| path.extension().is_some_and(|e| e == ending))
            else {
                continue;
            };
            let bytes = miniz_oxide::deflate::compress_to_vec(&fs::read(&path)?, 10);
            fs::write(Path::new(&packed).join(name), bytes)?;
        }
    }
    Ok(())
}
