//! eco.json: objects with `fen`, `eco`, `moves`, `name` and `aliases`.
//!
//! They may be the items of an array, the values of an object whose keys are the positions, or one
//! object a line (JSON lines). `scid` is the code that belongs to the alias of source `scid`;
//! without such an alias, it adds one with the name of the opening. `null` is the same as a missing
//! member; an opening without `eco` has no code. Other members are skipped, except for those that
//! this program writes itself: `master`, `version`, `date` and `fingerprint` name the master of an
//! opening.
//!
//! In JSON lines, a line that is not JSON is left out. In an array or an object, nothing after such
//! a line can be read.

use std::{collections::BTreeMap, fmt, io, io::Write, iter, mem};

use serde::de::{self, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, value::RawValue};

use super::reading::{Collector, LineCounter, LineReason, clean, read_key};
use super::{Alias, Master, MasterInfo, MasterLine};
use crate::pgn::decode_text;

const EXPECTED: &str = "an object with name, and moves or fen";

/// An opening as it stands in the file.
#[derive(Serialize, Deserialize, Default)]
#[serde(default)]
struct Object {
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    fen: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    eco: String,
    #[serde(deserialize_with = "text")]
    name: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    moves: String,
    #[serde(deserialize_with = "names", skip_serializing_if = "BTreeMap::is_empty")]
    aliases: BTreeMap<String, String>,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    scid: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    master: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    version: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    date: String,
    #[serde(deserialize_with = "text", skip_serializing_if = "String::is_empty")]
    fingerprint: String,
}

/// Text, a number as text, or nothing.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let found = match Value::deserialize(deserializer)? {
        Value::Null => return Ok(String::new()),
        Value::String(text) => return Ok(text),
        Value::Number(number) => return Ok(number.to_string()),
        Value::Bool(_) => "true or false",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    };
    Err(de::Error::custom(format_args!("found {found}, expected text")))
}

/// Names by who uses them, or nothing.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<BTreeMap<String, String>, D::Error> {
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

/// The source that the code in the member `scid` belongs to.
const SCID: &str = "scid";

/// An object with any of these members is an opening; otherwise its members are openings.
const MEMBERS: [&str; 4] = ["fen", "eco", "name", "moves"];

pub(super) fn read(bytes: &[u8], collector: &mut Collector) {
    let text = decode_text(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes));
    let mut lines = LineCounter::new(text.as_bytes());
    let mut rest: &str = &text;
    loop {
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
        let error = values.by_ref().find_map(|value| match value {
            Ok(value) => {
                read_value(value, &mut lines, collector);
                None
            }
            Err(error) => Some(error),
        });
        let Some(error) = error else { return };
        let bad = rest[values.byte_offset()..].trim_start();
        let after = bad.split_once('\n').map_or("", |(_, after)| after);
        let is_array = bad.starts_with('[');
        let next = after.trim_start();
        let is_line = next.is_empty() || !is_array && next.starts_with('{');
        let lost = if is_line { "" } else { "; what follows was not read" };
        let text = format!("not JSON: {}{lost}", without_position(&error));
        collector.add(lines.of(bad.as_bytes()), Err(LineReason::Json(text)));
        if !is_line {
            return;
        }
        rest = after;
    }
}

/// An array of openings, openings by position, or one opening.
fn read_value(value: &RawValue, lines: &mut LineCounter<'_>, collector: &mut Collector) {
    let items = match serde_json::from_str::<Items<'_>>(value.get()) {
        Ok(Items(items)) => items,
        Err(_) => {
            return collector
                .add(lines.of(value.get().as_bytes()), Err(LineReason::Form(EXPECTED)));
        }
    };
    let is_member = |(key, _): &(Option<String>, &RawValue)| {
        key.as_deref().is_some_and(|key| MEMBERS.contains(&key))
    };
    let items = if items.iter().any(is_member) { vec![(None, value)] } else { items };
    for (key, item) in items {
        let line = lines.of(item.get().as_bytes());
        match read_object(item.get(), key) {
            Ok((opening, None)) => collector.add(line, Ok(opening)),
            Ok((opening, Some(info))) => collector.add_to(info, line, opening),
            Err(reason) => collector.add(line, Err(reason)),
        }
    }
}

/// An opening, and its master if it names one. `key` is the name of the object as a member.
fn read_object(
    text: &str,
    key: Option<String>,
) -> Result<(MasterLine, Option<MasterInfo>), LineReason> {
    let mut object: Object =
        serde_json::from_str(text).map_err(|error| LineReason::Json(without_position(&error)))?;
    let missing = |what| Err(LineReason::Missing { what, expected: EXPECTED });
    if object.fen.is_empty() {
        object.fen = key.unwrap_or_default();
    }
    let opening = MasterLine::named(&object.eco, &object.name)?;
    let (moves, fen) = (object.moves.trim(), object.fen.as_str());
    if moves.is_empty() && fen.is_empty() {
        return missing("moves");
    }
    let movetext = (!moves.is_empty()).then(|| moves.to_owned());
    let key = (!fen.is_empty()).then(|| read_key(fen)).transpose()?;
    let aliases = object.take_aliases()?;
    Ok((MasterLine { movetext, key, aliases, ..opening }, object.master_info()))
}

impl Object {
    fn take_aliases(&mut self) -> Result<Vec<Alias>, LineReason> {
        let mut aliases = mem::take(&mut self.aliases);
        if !self.scid.is_empty() {
            aliases.entry(SCID.to_owned()).or_insert_with(|| self.name.clone());
        }
        let read = |(source, name): (String, String)| {
            let eco = Some(&self.scid).filter(|eco| source == SCID && !eco.is_empty());
            let eco = eco.map(|eco| eco.parse()).transpose()?;
            Ok(Alias { source: clean(&source), eco, name: clean(&name) })
        };
        aliases.into_iter().map(read).collect()
    }

    fn master_info(self) -> Option<MasterInfo> {
        let Self { master, version, date, fingerprint, .. } = self;
        let is_named = !master.is_empty();
        is_named.then(|| MasterInfo { name: clean(&master), version, date, fingerprint })
    }
}

/// The text of an error without its position, which is that in the object and not in the file.
fn without_position(error: &serde_json::Error) -> String {
    let text = error.to_string();
    text.split(" at line ").next().unwrap_or_default().to_owned()
}

/// The items of an array, or the members of an object with their names, in order.
struct Items<'a>(Vec<(Option<String>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Items<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Items<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an array or an object")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Items<'de>, A::Error> {
                let items = iter::from_fn(|| items.next_element().transpose());
                items.map(|item| Ok((None, item?))).collect::<Result<_, _>>().map(Items)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Items<'de>, A::Error> {
                let members = iter::from_fn(|| members.next_entry().transpose());
                members.collect::<Result<_, _>>().map(Items)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// Writes an object on a line for each opening, with its master.
pub(super) fn write(masters: &[Master], out: &mut dyn Write) -> io::Result<()> {
    for Master { info, lines } in masters {
        for line in lines {
            serde_json::to_writer(&mut *out, &Object::new(info, line))?;
            writeln!(out)?;
        }
    }
    Ok(())
}

impl Object {
    fn new(info: &MasterInfo, line: &MasterLine) -> Self {
        let scid = line.aliases.iter().find(|alias| alias.source == SCID);
        let alias = |alias: &Alias| (alias.source.clone(), alias.name.clone());
        Self {
            fen: line.key.map(|key| key.to_string()).unwrap_or_default(),
            eco: line.opening().code().to_owned(),
            name: line.name.clone(),
            moves: line.movetext.clone().unwrap_or_default(),
            aliases: line.aliases.iter().map(alias).collect(),
            scid: scid.and_then(|alias| alias.eco).map_or_else(String::new, |eco| eco.to_string()),
            master: info.name.clone(),
            version: info.version.clone(),
            date: info.date.clone(),
            fingerprint: info.fingerprint.clone(),
        }
    }
}
