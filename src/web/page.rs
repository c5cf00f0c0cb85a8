//! The page: files that are part of the program, made from `web/`.

use super::answer::{Answer, Keeping};

/// A file by its path, with what it is.
struct File {
    path: &'static str,
    content_type: &'static str,
    bytes: &'static [u8],
}

const SVG: &str = "image/svg+xml";

const FILES: [File; 6] = [
    File {
        path: "/",
        content_type: "text/html; charset=utf-8",
        bytes: include_bytes!("page/index.html"),
    },
    File {
        path: "/page.js",
        content_type: "text/javascript; charset=utf-8",
        bytes: include_bytes!("page/page.js"),
    },
    File {
        path: "/page.css",
        content_type: "text/css; charset=utf-8",
        bytes: include_bytes!("page/page.css"),
    },
    File { path: "/icon.svg", content_type: SVG, bytes: include_bytes!("page/icon.svg") },
    File { path: "/pieces.svg", content_type: SVG, bytes: include_bytes!("page/pieces.svg") },
    File {
        path: "/third-party.txt",
        content_type: "text/plain; charset=utf-8",
        bytes: include_bytes!("page/third-party.txt"),
    },
];

/// A file of the page. A browser asks each time whether it has changed, since another release of
/// the program may be running by then.
pub(super) fn file(path: &str) -> Option<Answer> {
    let file = FILES.iter().find(|file| file.path == path)?;
    Some(Answer::new(file.content_type, file.bytes.to_vec(), Keeping::Revalidated))
}

/// Whether a file of the page has this path.
pub(super) fn has_file(path: &str) -> bool {
    FILES.iter().any(|file| file.path == path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_of_the_page_is_served() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        let names = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        let mut names: Vec<String> = names.map(|name| name.into_string().unwrap()).collect();
        names.sort();
        let served = FILES.iter().map(|file| file.path.trim_start_matches('/'));
        let mut served: Vec<&str> =
            served.map(|name| if name.is_empty() { "index.html" } else { name }).collect();
        served.sort_unstable();
        assert_eq!(served, names);
    }

    #[test]
    fn the_page_asks_for_nothing_that_is_not_served() {
        let index = str::from_utf8(FILES[0].bytes).unwrap();
        let quoted = index.split("=\"/").skip(1).filter_map(|rest| rest.split('"').next());
        let mut found = 0;
        for path in quoted {
            assert!(file(&format!("/{path}")).is_some(), "/{path} is not served");
            found += 1;
        }
        assert!(found >= 3, "the page loads its style, its script and its icon");
    }
}
