//! The repertoire that optional words of a command line mean.

use std::path::{Path, PathBuf};

use eco::store::{Database, RepertoireInfo};

use crate::cli::outcome::Failure;

/// The repertoire that the first word names, and the other words. If it names none and there is
/// only one repertoire, that one, and all words.
pub(super) fn named_first<'w>(
    database: &Database,
    words: &'w [String],
) -> Result<(RepertoireInfo, &'w [String]), Failure> {
    let all = database.repertoires()?;
    if let [first, rest @ ..] = words
        && let Some(info) = all.iter().find(|info| info.name == *first)
    {
        return Ok((info.clone(), rest));
    }
    match (only(all), words.first()) {
        (Ok(info), _) => Ok((info, words)),
        (Err(_), Some(first)) => Ok((database.repertoire(first)?, words)),
        (Err(failure), None) => Err(failure),
    }
}

/// The repertoire of that name, or the only one.
///
/// The name may have been meant as the first input, since it can be left out: it is one if there is
/// no repertoire of that name, only one repertoire, and such a file.
pub(super) fn named_or_only(
    database: &Database,
    name: Option<&str>,
    inputs: &mut Vec<PathBuf>,
) -> Result<RepertoireInfo, Failure> {
    let all = database.repertoires()?;
    let Some(name) = name else { return only(all) };
    if let Some(info) = all.iter().find(|info| info.name == name) {
        return Ok(info.clone());
    }
    if name != "-" && !Path::new(name).exists() {
        return Ok(database.repertoire(name)?);
    }
    let info = only(all)?;
    inputs.insert(0, name.into());
    Ok(info)
}

fn only(mut all: Vec<RepertoireInfo>) -> Result<RepertoireInfo, Failure> {
    if let [_] = all[..] {
        return Ok(all.remove(0));
    }
    let names: Vec<&str> = all.iter().map(|info| info.name.as_str()).collect();
    let hint = if names.is_empty() { "there is none" } else { "there is " };
    Err(Failure(format!("name a repertoire; {hint}{}", names.join(", "))))
}
