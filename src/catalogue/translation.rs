//! Names of openings in other languages, from the tables in `data/names`, whose README has the
//! format.
//!
//! A name is translated component by component: what stands before `: `, and what stands between
//! commas. A component has a row of its own, or fits a pattern such as `{} Variation`, whose inner
//! text is looked up once: as an adjective in the form that the pattern has too, or else as a name,
//! which is the same in every language unless a row says otherwise. What no row knows stays
//! English. So the names of any master are translated as far as they are built like those of the
//! built-in one.

use std::{borrow::Cow, sync::OnceLock};

use hashbrown::HashMap;

use super::index::Catalogue;
use crate::chess::Language;
use crate::packed::{Packed, packed};

/// What a table begins with.
const HEADER: &str = "component\ttranslation\tform\n";

/// The form of a pattern for names, and of a name that a pattern does not take as it is.
const NAME: &str = "name";

/// Forms of rows that translate nothing: the piece letters, and the language's name in itself.
const ABOUT_LANGUAGE: [&str; 2] = ["pieces", "language"];

/// What stands for the inner text of a pattern.
const INNER: &str = "{}";

macro_rules! tables {
    ($($language:ident $file:literal),+ $(,)?) => {
        [$((Language::$language, packed!($file)),)+]
    };
}

static TABLES: [(Language, Packed); 10] = tables! {
    German "de.tsv",
    Spanish "es.tsv",
    French "fr.tsv",
    Italian "it.tsv",
    Dutch "nl.tsv",
    Polish "pl.tsv",
    Portuguese "pt.tsv",
    Russian "ru.tsv",
    Turkish "tr.tsv",
    Ukrainian "uk.tsv",
};

/// The names of openings in a language other than English.
///
/// ```
/// use eco::{catalogue::Translation, chess::Language};
///
/// let german = Translation::of(Language::German).expect("there is a table");
/// let name = german.translate("Sicilian Defense: Najdorf Variation");
/// assert_eq!(name, "Sizilianische Verteidigung: Najdorf-Variante");
/// ```
#[derive(Debug)]
pub struct Translation {
    language: Language,
    rows: Vec<TranslationRow>,
    /// The translation of a component in a form.
    by_form: HashMap<(&'static str, &'static str), &'static str>,
    /// The patterns with their forms, that with the most text first.
    patterns: Vec<Pattern>,
}

/// A row of the table of a language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct TranslationRow {
    /// What is translated: a component of names, a part of one, or a pattern with `{}`.
    pub component: &'static str,
    /// Its translation, with `{}` if the component has it.
    pub translation: &'static str,
    /// Empty for a whole component; `name` for a name within patterns, and for a pattern around
    /// names; otherwise a grammatical form that a pattern and an adjective share.
    pub form: &'static str,
}

/// A component with an inner text.
#[derive(Debug)]
struct Pattern {
    component: &'static str,
    before: &'static str,
    after: &'static str,
    /// The forms that it has for adjectives, in their order.
    forms: Vec<&'static str>,
}

impl Pattern {
    fn inner<'c>(&self, component: &'c str) -> Option<&'c str> {
        let inner = component.strip_prefix(self.before)?.strip_suffix(self.after)?;
        (!inner.is_empty()).then_some(inner)
    }
}

impl Translation {
    /// The names in a language; `None` for English, and for a language without a table.
    pub fn of(language: Language) -> Option<&'static Self> {
        static READ: [OnceLock<Translation>; TABLES.len()] =
            [const { OnceLock::new() }; TABLES.len()];
        let at = TABLES.iter().position(|(of, _)| *of == language)?;
        Some(READ[at].get_or_init(|| Self::read(language, TABLES[at].1.text())))
    }

    /// The languages that have a table.
    pub fn languages() -> impl Iterator<Item = Language> {
        TABLES.iter().map(|(language, _)| *language)
    }

    fn read(language: Language, table: &'static str) -> Self {
        let rows = table.strip_prefix(HEADER).unwrap_or_default().lines().filter_map(|row| {
            let mut columns = row.split('\t');
            let (component, translation) = (columns.next()?, columns.next()?);
            let form = columns.next().unwrap_or_default();
            Some(TranslationRow { component, translation, form })
        });
        let rows: Vec<TranslationRow> = rows.collect();
        let by_form = rows.iter().map(|row| ((row.component, row.form), row.translation));
        let mut patterns: HashMap<&str, Pattern> = HashMap::new();
        for TranslationRow { component, form, .. } in &rows {
            if let Some((before, after)) = component.split_once(INNER) {
                let new = || Pattern { component, before, after, forms: Vec::new() };
                let forms = &mut patterns.entry(component).or_insert_with(new).forms;
                forms.extend(Some(*form).filter(|form| *form != NAME));
            }
        }
        let mut patterns: Vec<Pattern> = patterns.into_values().collect();
        patterns.iter_mut().for_each(|pattern| pattern.forms.sort_unstable());
        let order = |pattern: &Pattern| (usize::MAX - pattern.component.len(), pattern.component);
        patterns.sort_unstable_by_key(order);
        Self { language, by_form: by_form.collect(), rows, patterns }
    }

    /// The language.
    pub fn language(&self) -> Language {
        self.language
    }

    /// The rows of the table that translate something, in its order.
    pub fn rows(&self) -> impl Iterator<Item = &TranslationRow> {
        self.rows.iter().filter(|row| !ABOUT_LANGUAGE.contains(&row.form))
    }

    /// The full name of an opening, translated as far as the table has its components.
    pub fn translate(&self, name: &str) -> String {
        if let Some(whole) = self.row(name, "") {
            return whole.to_owned();
        }
        let list = |components: &str| {
            let translated = |component| self.component(component).unwrap_or(component.into());
            components.split(SEPARATOR).map(translated).collect::<Vec<_>>().join(SEPARATOR)
        };
        let family = |family: &str| match self.row(family, "") {
            Some(whole) => whole.to_owned(),
            None => list(family),
        };
        match name.split_once(AFTER_FAMILY) {
            Some((first, rest)) => format!("{}{AFTER_FAMILY}{}", family(first), list(rest)),
            None => family(name),
        }
    }

    /// The translation of a component of names; `None` if the table has none.
    pub fn component<'c>(&self, component: &'c str) -> Option<Cow<'c, str>> {
        if let Some(whole) = self.row(component, "") {
            return Some(Cow::Borrowed(whole));
        }
        let mut fitting = self.patterns.iter().filter_map(|pattern| {
            let inner = pattern.inner(component)?;
            let adjective = pattern.forms.iter().find_map(|form| {
                Some((self.row(pattern.component, form)?, self.row(inner, form)?))
            });
            let as_name = || {
                Some((self.row(pattern.component, NAME)?, self.row(inner, NAME).unwrap_or(inner)))
            };
            let (outer, inner) = adjective.or_else(as_name)?;
            Some(Cow::Owned(outer.replace(INNER, inner)))
        });
        fitting.next()
    }

    fn row(&self, component: &str, form: &str) -> Option<&'static str> {
        self.by_form.get(&(component, form)).copied()
    }
}

/// What stands between the family of a name and its other components.
const AFTER_FAMILY: &str = ": ";

/// What stands between those.
const SEPARATOR: &str = ", ";

impl Catalogue {
    /// The same catalogue for readers of another language: the same positions, lines and codes,
    /// with other names. Where a language has no [names](Translation::of), they stay English.
    ///
    /// ```
    /// use eco::{catalogue::Catalogue, chess::Language, classify::Classifier};
    ///
    /// let spanish = Catalogue::builtin().in_language(Language::Spanish);
    /// let verdict = Classifier::new(&spanish).classify_movetext(b"1. e4 c5");
    /// let opening = verdict.named.expect("a known position was reached").opening();
    /// assert_eq!(opening.name(), "Defensa siciliana");
    /// assert_eq!(opening.english_name(), "Sicilian Defense");
    /// ```
    pub fn in_language(&self, language: Language) -> Self {
        let mut catalogue = Self { language, ..self.clone() };
        let Some(translation) = Translation::of(language) else { return catalogue };
        let mut lines = self.lines().to_vec();
        for line in &mut lines {
            line.opening.translate(|name| translation.translate(name));
        }
        catalogue.lines = lines.into();
        catalogue
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;
    use crate::catalogue::names::games_of;
    use crate::opening::Opening;

    fn translations() -> impl Iterator<Item = &'static Translation> {
        Translation::languages().map(|language| Translation::of(language).unwrap())
    }

    fn builtin() -> impl Iterator<Item = &'static Opening> {
        Catalogue::builtin().lines().iter().map(|line| &line.opening)
    }

    fn none(faults: &[String]) {
        assert!(faults.is_empty(), "{} faults:\n{}", faults.len(), faults.join("\n"));
    }

    #[test]
    fn tables_are_well_formed() {
        let mut faults = Vec::new();
        for (language, table) in &TABLES {
            let mut known = BTreeSet::new();
            let rows = table.text().strip_prefix(HEADER);
            for row in rows.expect("a table has a header").lines() {
                let columns: Vec<&str> = row.split('\t').collect();
                let [component, translation, form] = columns[..] else {
                    faults.push(format!("{language}: not three columns: {row}"));
                    continue;
                };
                let is_blank = |text: &str| text.trim() != text || text.contains("  ");
                let is_whole = component.contains(SEPARATOR) || component.contains(AFTER_FAMILY);
                let splits = translation.contains(SEPARATOR) || translation.contains(AFTER_FAMILY);
                let braces = |text: &str| text.matches(INNER).count();
                for (what, is_fault) in [
                    ("nothing to translate", component.is_empty() || translation.is_empty()),
                    ("stray blanks", columns.iter().any(|column| is_blank(column))),
                    ("control characters", row.contains(|c: char| c.is_control() && c != '\t')),
                    ("a translation that splits", splits && !is_whole),
                    ("other braces", braces(component) != braces(translation)),
                    ("more than one inner text", braces(component) > 1),
                    ("a pattern without a form", braces(component) == 1 && form.is_empty()),
                    ("a second row", !known.insert((component, form))),
                ] {
                    faults.extend(is_fault.then(|| format!("{language}: {what}: {row}")));
                }
            }
        }
        none(&faults);
    }

    #[test]
    fn a_table_names_its_language_and_the_letters_that_typed_moves_have() {
        for translation in translations() {
            let (language, rows) = (translation.language(), &translation.rows);
            let of = |form| rows.iter().find(|row| row.form == form).map(|row| row.translation);
            assert!(of("language").is_some(), "{language}");
            let letters: Vec<String> = ["K", "Q", "R", "B", "N"]
                .map(|letter| language.translated(letter))
                .into_iter()
                .collect();
            let letters = letters.join(" ");
            assert_eq!(of("pieces"), Some(&*letters), "{language}");
            let on_page = format!("{}: '{letters}'", language.code());
            assert!(include_str!("../../web/src/language.ts").contains(&on_page), "{on_page}");
        }
    }

    #[test]
    fn families_of_the_built_in_catalogue_are_translated() {
        let families: BTreeSet<&str> = builtin().map(Opening::family).collect();
        let mut faults = Vec::new();
        for translation in translations() {
            let missing = families.iter().filter(|family| translation.row(family, "").is_none());
            let language = translation.language();
            faults.extend(missing.map(|family| format!("{language}: no row of {family}")));
        }
        none(&faults);
    }

    /// By the games of `data/names/games.tsv`.
    #[test]
    fn nearly_all_games_have_a_translated_name() {
        let mut faults = Vec::new();
        for translation in translations() {
            let is_translated = |name: &str| translation.component(name).is_some();
            let (mut all, mut families, mut wholes) = (0, 0, 0);
            for opening in builtin()
                .map(|opening| (opening.name(), opening))
                .collect::<BTreeMap<_, _>>()
                .values()
            {
                let games = games_of(opening.name());
                let rest = [opening.variation(), opening.subvariation()];
                let mut rest =
                    rest.iter().flat_map(|rest| rest.split(SEPARATOR)).filter(|c| !c.is_empty());
                let has_family = is_translated(opening.family());
                let is_whole = translation.row(opening.name(), "").is_some();
                all += games;
                families += if has_family { games } else { 0 };
                wholes += if is_whole || has_family && rest.all(is_translated) { games } else { 0 };
            }
            assert!(all > 90_000, "{all}");
            if families * 100 < all * 98 || wholes * 100 < all * 75 {
                faults
                    .push(format!("{}: {families} and {wholes} of {all}", translation.language()));
            }
        }
        none(&faults);
    }

    #[test]
    fn translated_names_split_like_english_ones() {
        let mut faults = Vec::new();
        for translation in translations() {
            for opening in builtin() {
                let mut translated = opening.clone();
                translated.translate(|name| translation.translate(name));
                let depth = |opening: &Opening| {
                    [opening.variation(), opening.subvariation()]
                        .map(|part| (!part.is_empty()).then(|| part.matches(SEPARATOR).count()))
                };
                let language = translation.language();
                if depth(&translated) != depth(opening) {
                    faults.push(format!("{language}: {} of {}", translated.name(), opening.name()));
                }
            }
        }
        none(&faults);
    }

    #[test]
    fn names_and_families_that_differ_do_so_in_every_language() {
        let mut faults = Vec::new();
        for translation in translations() {
            let language = translation.language();
            let (mut names, mut families) = (BTreeMap::new(), BTreeMap::new());
            for opening in builtin() {
                let mut translated = opening.clone();
                translated.translate(|name| translation.translate(name));
                for (of, english, name) in [
                    (&mut names, opening.name(), translated.name()),
                    (&mut families, opening.family(), translated.family()),
                ] {
                    let first = *of.entry(name.to_owned()).or_insert(english);
                    // Keene's Defense is the Keene Defense.
                    if first.replace("'s", "") != english.replace("'s", "") {
                        faults.push(format!("{language}: {name} is {first} and {english}"));
                    }
                }
            }
        }
        faults.sort_unstable();
        faults.dedup();
        none(&faults);
    }

    /// A table of a few rows, each with its meaning.
    #[test]
    fn a_component_is_translated_whole_or_by_the_pattern_with_the_most_text() {
        let table = "component\ttranslation\tform\n\
            Sicilian Defense\tSizilianisch\t\n\
            {} Variation\t{}-Variante\tname\n\
            {} Variation\t{} Variante\tf\n\
            Modern\tModerne\tf\n\
            Four Knights\tVierspringer\tname\n\
            {} Gambit Accepted\tAngenommenes {}-Gambit\tname\n\
            {} Accepted\t{} (angenommen)\tname\n\
            with {}\tMit {}\tname\n\
            Closed\tGeschlossen\t\n\
            Odd Defense: Whole, Name\tGanz\t\n";
        let german = Translation::read(Language::German, table);
        for (name, translated) in [
            ("Sicilian Defense", "Sizilianisch"),
            ("Sicilian Defense: Najdorf Variation", "Sizilianisch: Najdorf-Variante"),
            (
                "Sicilian Defense: Modern Variation, Closed",
                "Sizilianisch: Moderne Variante, Geschlossen",
            ),
            ("X Opening: Four Knights Variation", "X Opening: Vierspringer-Variante"),
            ("Elephant Gambit Accepted", "Angenommenes Elephant-Gambit"),
            ("Sicilian Defense, with e3", "Sizilianisch, Mit e3"),
            ("Variation", "Variation"),
            ("Odd Defense: Whole, Name", "Ganz"),
            ("Odd Defense: Whole", "Odd Defense: Whole"),
            ("", ""),
            (": ", ": "),
            (", : {}, ", ", : {}, "),
        ] {
            assert_eq!(german.translate(name), translated, "{name}");
        }
    }
}
