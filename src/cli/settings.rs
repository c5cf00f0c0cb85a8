//! The settings of the user, in a file that `eco config` and `eco me` write: what is used where
//! neither an option nor the environment says otherwise. The only file that uses `toml_edit`.

use std::ffi::{OsStr, OsString};
use std::{env, fmt::Display, fs, sync::OnceLock};

use eco::chess::Language;
use toml_edit::{Array, Document, DocumentMut, Item, Key, TomlError, Value, value};

pub(super) use super::home::settings as file;
use super::outcome::{Failure, refuse, say};

/// A setting: its key, what it is, and whether it can have a value.
pub(super) type Setting = (&'static str, &'static str, fn(&str) -> bool);

pub(super) const SETTINGS: [Setting; 7] = [
    ("me", "your names as a player, by `eco me`", |name| !name.trim().is_empty()),
    ("catalogue", "the file that names openings, as --catalogue", |_| true),
    ("width", "the width of tables in characters, 20 or more, as --width", |width| {
        width.parse().is_ok_and(|width: usize| width >= 20)
    }),
    ("color", "auto, always or never, as --color", |choice| {
        ["auto", "always", "never"].contains(&choice)
    }),
    ("pager", "the program that shows long tables", |_| true),
    ("lang", "the language of names and piece letters, such as de, as --lang", |lang| {
        lang.parse::<Language>().is_ok()
    }),
    ("progress", "true or false: whether progress is shown", |choice| {
        ["true", "false"].contains(&choice)
    }),
];

/// What the file said when the program began, without what no setting can be.
static READ: OnceLock<DocumentMut> = OnceLock::new();

/// Reads the file, if it is there, before the arguments are read.
///
/// # Errors
///
/// If it cannot be read, or has a key or a value that no setting has. The others are known then. So
/// it is if the environment sets a language that there is not.
pub(super) fn read() -> Result<(), Failure> {
    let text = text()?;
    let document = parsed(&text)?;
    let (mut known, mut read) = (document.clone().into_mut(), Ok(()));
    for (key, item) in document.iter() {
        if let Err(Failure(what)) = check(key, &texts(item)) {
            known.remove(key);
            let place = document.key(key).and_then(Key::span).map_or(0, |span| span.start);
            read = read.and_then(|()| Err(fault_at(&text, place, &what)));
        }
    }
    let _ = READ.set(known);
    read.and_then(|()| check_lang())
}

/// The text of the file.
fn text() -> Result<String, Failure> {
    match fs::read_to_string(file()) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|error| fault(&error)),
    }
}

fn parsed(text: &str) -> Result<Document<&str>, Failure> {
    let fault = |error: TomlError| {
        fault_at(text, error.span().map_or(0, |span| span.start), error.message())
    };
    Document::parse(text).map_err(fault)
}

/// A fault of the file, with what to do.
fn fault(what: &dyn Display) -> Failure {
    let hint = "edit the file, or remove it; `eco config` shows the settings";
    Failure(format!("{}: {what}: {hint}", file().display()))
}

fn fault_at(text: &str, place: usize, what: &str) -> Failure {
    let line = 1 + text[..place].matches('\n').count();
    fault(&format_args!("line {line}: {what}"))
}

/// Checks that a setting can have these values.
fn check(key: &str, values: &[String]) -> Result<(), Failure> {
    let Some((_, about, allows)) = SETTINGS.iter().find(|(name, ..)| *name == key) else {
        let known = SETTINGS.map(|(name, ..)| name).join(", ");
        return refuse(format!("no setting '{key}'; there is {known}"));
    };
    let is_one = values.len() == 1 || key == ME;
    if is_one && values.iter().all(|value| allows(value)) {
        return Ok(());
    }
    let value = values.join("; ");
    refuse(match value.parse::<Language>() {
        Err(unknown) if key == "lang" => format!("{key}: {unknown}"),
        _ => format!("{key} '{value}': expected {about}"),
    })
}

/// The values of a setting as texts.
fn texts(item: &Item) -> Vec<String> {
    let text = |value: &Value| match value {
        Value::String(text) => text.value().clone(),
        other => other.to_string().trim().to_owned(),
    };
    match item.as_value() {
        Some(Value::Array(values)) => values.iter().map(text).collect(),
        Some(value) => vec![text(value)],
        None => Vec::new(),
    }
}

/// The values of a setting; none, if it is not set.
pub(super) fn all(key: &str) -> Vec<String> {
    READ.get().and_then(|document| document.get(key)).map(texts).unwrap_or_default()
}

/// The value of a setting.
pub(super) fn one(key: &str) -> Option<String> {
    all(key).pop()
}

/// The language that the environment sets, or else the user.
pub(super) fn lang() -> Option<Language> {
    let of_environment = env::var(LANG).ok().filter(|lang| !lang.is_empty());
    of_environment.or_else(|| one("lang")).and_then(|lang| lang.parse().ok())
}

/// The variable of the environment that sets the language.
const LANG: &str = "ECO_LANG";

/// Checks that the environment sets a language that there is, if it sets one.
fn check_lang() -> Result<(), Failure> {
    let lang = env::var_os(LANG).filter(|lang| !lang.is_empty());
    match lang.map(|lang| lang.to_string_lossy().parse::<Language>()) {
        Some(Err(unknown)) => refuse(format!("{LANG}: {unknown}")),
        _ => Ok(()),
    }
}

/// The file with another value of a setting; without values it is not set any more.
///
/// # Errors
///
/// If it cannot have these values.
pub(super) fn changed(key: &str, values: &[String]) -> Result<String, Failure> {
    let mut document = parsed(&text()?)?.into_mut();
    if values.is_empty() {
        document.remove(key);
    } else {
        check(key, values)?;
        document[key] = match (key, values) {
            (ME, names) => value(names.iter().collect::<Array>()),
            ("width" | "progress", [text]) => text.parse().map(Item::Value)?,
            (_, values) => value(values.concat()),
        };
    }
    Ok(document.to_string())
}

/// The word for the user among names of players, and the word for no choice of players.
const ME: &str = "me";
const EVERYBODY: &str = "everybody";

pub(super) const HOW_TO_NAME: &str = "`eco me 'Last, First' NAME-ONLINE` says who you are";

/// Whether the user has this name, and others.
pub(super) fn is_one_of_mine(name: &str) -> bool {
    let names = all(ME);
    names.len() > 1 && names.iter().any(|mine| mine == name)
}

/// The options that name players.
const PEOPLE: [&str; 2] = ["--player", "--against"];

/// The arguments with the names of the user for `me`, and with those of the player whom a command
/// needs, if none is named.
///
/// # Errors
///
/// If the user has no names.
pub(super) fn with_names(args: Vec<OsString>) -> Result<Vec<OsString>, Failure> {
    let names = all(ME);
    let is_option = |arg: &OsString| PEOPLE.iter().any(|option| arg == option);
    let (mut named, mut is_named) = (Vec::new(), false);
    let mut rest = args.into_iter();
    while let Some(arg) = rest.next() {
        let joined = arg.to_str().and_then(|arg| arg.split_once('='));
        let (option, word) = match joined.filter(|(option, _)| PEOPLE.contains(option)) {
            Some((option, word)) => (OsString::from(option), Some(OsString::from(word))),
            None if is_option(&arg) => (arg.clone(), rest.next()),
            None => {
                named.push(arg);
                continue;
            }
        };
        is_named |= option == PEOPLE[0];
        match word {
            Some(word) if word == ME => {
                if names.is_empty() {
                    return refuse(format!("'me' has no names yet; {HOW_TO_NAME}"));
                }
                let options = names.iter().flat_map(|name| [option.clone(), name.into()]);
                named.extend(options);
            }
            Some(word) if word == EVERYBODY => {}
            word => named.extend([Some(option), word].into_iter().flatten()),
        }
    }
    if !is_named && !names.is_empty() && needs_player(&named) {
        let shown = names.join("; ");
        say(&format_args!("games of {shown} (`eco me`); --player {EVERYBODY} takes all games"));
        named.extend(names.iter().flat_map(|name| [PEOPLE[0].into(), name.into()]));
    }
    Ok(named)
}

/// Whether a command is about a player.
fn needs_player(args: &[OsString]) -> bool {
    let has = |option: &str| args.iter().any(|arg| arg == option);
    let is_help = has("-h") || has("--help") || has("--");
    let word = |at: usize| args.get(at).and_then(|arg: &OsString| OsStr::to_str(arg));
    !is_help
        && match (word(1), word(2)) {
            (Some("stats"), _) => has("--strengths") || has("--weaknesses"),
            (Some("report"), _) => true,
            // A repertoire that there is has its players.
            (Some("repertoire"), Some("build")) => has("--color"),
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_checked() {
        for (key, values, is_right) in [
            ("me", &["Lind, Vera", "veralind"][..], true),
            ("width", &["80"], true),
            ("width", &["19"], false),
            ("color", &["never"], true),
            ("color", &["white"], false),
            ("progress", &["no"], false),
            ("colour", &["never"], false),
        ] {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            assert_eq!(check(key, &values).is_ok(), is_right, "{key} {values:?}");
        }
    }
}
