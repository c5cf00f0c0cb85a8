//! Names of files that are made of names in games.
//!
//! Those may be anything: paths, devices of Windows, control characters, a megabyte. What is left
//! here is ASCII that means itself everywhere; and names that differ only in case, which are one
//! file on many systems, get numbers.

use std::collections::HashMap;

use deunicode::deunicode;

/// The longest name, without number and extension.
const MAX_LENGTH: usize = 80;

/// Names that are devices on Windows, with any extension.
const DEVICES: [&str; 6] = ["con", "prn", "aux", "nul", "conin$", "conout$"];

/// The names that are taken, in lower case, each with the number that is tried next for it.
#[derive(Debug, Default)]
pub(super) struct FileNames(HashMap<String, u64>);

impl FileNames {
    /// A name for a file that no other file has. It depends on the names that were taken before.
    pub(super) fn take(&mut self, text: &str) -> String {
        let name = safe_name(text);
        let lower = name.to_lowercase();
        let Some(first) = self.0.get(&lower).copied() else {
            self.0.insert(lower, 2);
            return name;
        };
        let is_taken = |number: &u64| self.0.contains_key(&format!("{lower} ({number})"));
        let number = (first..).find(|number| !is_taken(number)).expect("there are more numbers");
        self.0.insert(format!("{lower} ({number})"), 2);
        self.0.insert(lower, number + 1);
        format!("{name} ({number})")
    }
}

/// A name of letters, digits and a few signs.
fn safe_name(text: &str) -> String {
    let text: String = text.chars().take(4 * MAX_LENGTH).collect();
    let is_kept = |c: char| c.is_ascii_alphanumeric() || " ,'()-_".contains(c);
    let plain = deunicode(&text);
    let name: String = plain.chars().map(|c| if is_kept(c) { c } else { '_' }).collect();
    let name: String = name.trim().chars().take(MAX_LENGTH).collect();
    let name = name.trim_end().trim_start_matches(['-', ' ']);
    if !name.bytes().any(|byte| byte.is_ascii_alphanumeric()) {
        return "unknown".to_owned();
    }
    let lower = name.to_lowercase();
    let numbered = lower.strip_prefix("com").or_else(|| lower.strip_prefix("lpt"));
    let is_port = numbered.is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    if is_port || DEVICES.contains(&&*lower) { format!("{name}_") } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn hostile_names_are_made_harmless() {
        for (text, name) in [
            ("B90", "B90"),
            ("Sicilian Defense", "Sicilian Defense"),
            ("Carlsen, Magnus", "Carlsen, Magnus"),
            ("Grünfeld Defense", "Grunfeld Defense"),
            ("../../etc/passwd", "______etc_passwd"),
            ("..", "unknown"),
            ("", "unknown"),
            ("a\0b\n", "a_b_"),
            ("-rf", "rf"),
            ("CON", "CON_"),
            ("com1", "com1_"),
            ("Lpt9", "Lpt9_"),
            ("Company", "Company"),
            ("a.", "a_"),
            (" a ", "a"),
            ("C:\\x", "C__x"),
            ("\u{202e}gnp", "gnp"),
        ] {
            assert_eq!(safe_name(text), name, "for {text:?}");
        }
        assert_eq!(safe_name(&"x".repeat(1 << 20)).len(), MAX_LENGTH);
    }

    #[test]
    fn names_that_are_one_file_on_some_system_get_numbers() {
        let mut names = FileNames::default();
        let taken = ["Tal", "TAL", "tal", "Tal (2)", "Carl", "unknown", "?"].map(|n| names.take(n));
        let expected =
            ["Tal", "TAL (2)", "tal (3)", "Tal (2) (2)", "Carl", "unknown", "unknown (2)"];
        assert_eq!(taken, expected);
        // A hundred thousand names that clash take no time.
        let clashing = (0..100_000).map(|_| names.take("?")).last();
        assert_eq!(clashing.as_deref(), Some("unknown (100002)"));
    }

    proptest! {
        #[test]
        fn every_text_has_a_name_of_its_own(texts in prop::collection::vec(any::<String>(), 1..20)) {
            let mut names = FileNames::default();
            let mut seen = HashSet::new();
            for text in &texts {
                let name = names.take(text);
                prop_assert!(seen.insert(name.to_lowercase()), "{:?} twice", name);
                prop_assert!(name.len() < 100 && !name.contains(['/', '\\', '.', '\0', ':']));
                prop_assert!(name.trim() == name && !name.starts_with('-'));
            }
        }
    }
}
