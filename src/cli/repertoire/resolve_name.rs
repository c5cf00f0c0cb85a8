//! The repertoire that optional words of a command line mean.

use eco::store::{Database, RepertoireInfo};

use crate::cli::outcome::Failure;

/// The repertoire that the first word names, and the other words. If it names none and there is
/// only one repertoire, that one, and all words.
pub(super) fn named_first<'w>(
    database: &Database,
    words: &'w [String],
) -> Result<(RepertoireInfo, &'w [String]), Failure> {
    let mut all = database.repertoires()?;
    if let [first, rest @ ..] = words
        && let Some(place) = all.iter().position(|info| info.name == *first)
    {
        return Ok((all.swap_remove(place), rest));
    }
    match (&mut all[..], words.first()) {
        ([_], _) => Ok((all.remove(0), words)),
        (_, Some(first)) => Ok((database.repertoire(first)?, words)),
        (several, None) => {
            let names: Vec<&str> = several.iter().map(|info| info.name.as_str()).collect();
            let hint = if names.is_empty() { "there is none" } else { "there is " };
            Err(Failure(format!("name a repertoire; {hint}{}", names.join(", "))))
        }
    }
}
