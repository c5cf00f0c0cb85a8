//! The parameters that select games: the flags of the command line without their hyphens.

use std::{fmt, ops::RangeInclusive};

use super::{fault::Fault, parameters::Parameters};
use crate::{
    catalogue::Query,
    chess::Color,
    collection::PositionQuery,
    select::{Player, RatingOf, Selection, TagPart, VariantName, parse_ratings},
};

/// The names of these parameters.
pub(super) const SELECTION: [&str; 19] = [
    "player",
    "opponent",
    "color",
    "eco",
    "opening",
    "result",
    "since",
    "until",
    "rating",
    "rating-of",
    "speed",
    "rated",
    "casual",
    "event",
    "site",
    "variant",
    "tag",
    "min-plies",
    "from-position",
];

/// Which games are asked for.
pub(super) fn read_query(parameters: &Parameters) -> Result<PositionQuery, Fault> {
    Ok(PositionQuery {
        selection: read_selection(parameters)?,
        from_position: parameters.is_set("from-position"),
        ..PositionQuery::default()
    })
}

fn read_selection(parameters: &Parameters) -> Result<Selection, Fault> {
    let (rated, casual) = (parameters.is_set("rated"), parameters.is_set("casual"));
    let selection = Selection {
        players: read_players(parameters, "player")?,
        opponents: read_players(parameters, "opponent")?,
        color: read_color(parameters)?,
        eco: read_codes(parameters)?,
        openings: parameters.all("opening").map(read_words).collect::<Result<_, _>>()?,
        results: parameters.parse_list("result")?,
        since: parameters.parse("since")?,
        until: parameters.parse("until")?,
        rating: read_ratings(parameters)?,
        rating_of: read_rating_of(parameters)?,
        speeds: parameters.parse_list("speed")?,
        rated: (rated || casual).then_some(rated),
        events: parameters.all("event").map(TagPart::new).collect(),
        sites: parameters.all("site").map(TagPart::new).collect(),
        variants: parameters.all("variant").map(VariantName::new).collect(),
        tags: parameters.all("tag").map(read_tag).collect::<Result<_, _>>()?,
        min_plies: parameters.parse("min-plies")?.unwrap_or_default(),
        ..Selection::default()
    };
    check(&selection, rated && casual)?;
    Ok(selection)
}

/// Checks what the command line checks as well.
fn check(selection: &Selection, is_both: bool) -> Result<(), Fault> {
    let asks_for_somebody = !(selection.players.is_empty() && selection.opponents.is_empty());
    let needs_player = |name: &str| Fault::parameter(name, "goes with player or opponent");
    match () {
        () if is_both => Err(Fault::parameter("rated", "does not go with casual")),
        () if selection.rating_of != RatingOf::Both && selection.rating.is_none() => {
            Err(Fault::parameter("rating-of", "goes with rating"))
        }
        () if asks_for_somebody => Ok(()),
        () if selection.color.is_some() => Err(needs_player("color")),
        () if selection.results.iter().any(|result| result.needs_player()) => {
            Err(Fault::parameter("result", "win, loss and draw go with player or opponent"))
        }
        () if selection.rating_of != RatingOf::Both => Err(needs_player("rating-of")),
        () => Ok(()),
    }
}

fn read_players(parameters: &Parameters, name: &str) -> Result<Vec<Player>, Fault> {
    let read = |text| {
        let player = Player::new(text);
        let nobody = || Fault::parameter(name, "expected the name of a player");
        (!player.is_nobody()).then_some(player).ok_or_else(nobody)
    };
    parameters.all(name).map(read).collect()
}

/// A colour by its name.
pub(super) fn read_color(parameters: &Parameters) -> Result<Option<Color>, Fault> {
    match parameters.get("color") {
        None => Ok(None),
        Some("white") => Ok(Some(Color::White)),
        Some("black") => Ok(Some(Color::Black)),
        Some(other) => Err(expected("color", "white or black", other)),
    }
}

fn read_codes(parameters: &Parameters) -> Result<Option<Query>, Fault> {
    let codes = parameters.list("eco").unwrap_or_default();
    for text in &codes {
        let query = Query::new(text);
        if query.is_empty() || query.has_words() || text.contains(char::is_whitespace) {
            return Err(expected("eco", "a code such as B90, B9 or B, or a range", text));
        }
    }
    Ok((!codes.is_empty()).then(|| Query::new(&codes.join(" "))))
}

fn read_words(text: &str) -> Result<Query, Fault> {
    let query = Query::new(text);
    if query.is_empty() { Err(expected("opening", "words or codes", text)) } else { Ok(query) }
}

fn read_ratings(parameters: &Parameters) -> Result<Option<RangeInclusive<u16>>, Fault> {
    let read = |text| parse_ratings(text).map_err(|error| Fault::parameter("rating", error));
    parameters.get("rating").map(read).transpose()
}

fn read_rating_of(parameters: &Parameters) -> Result<RatingOf, Fault> {
    match parameters.get("rating-of") {
        None => Ok(RatingOf::Both),
        Some("player") => Ok(RatingOf::Player),
        Some("opponent") => Ok(RatingOf::Opponent),
        Some(other) => Err(expected("rating-of", "player or opponent", other)),
    }
}

fn read_tag(text: &str) -> Result<(String, String), Fault> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err(expected("tag", "NAME=VALUE, such as Round=1.2", text)),
    }
}

fn expected(name: &str, what: impl fmt::Display, found: &str) -> Fault {
    Fault::parameter(name, format_args!("expected {what}, not {found:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::select::{GameResult, Speed, WantedResult};

    fn read(query: &str) -> Result<Selection, String> {
        read_query(&Parameters::read(query)).map(|query| query.selection).map_err(|f| f.text)
    }

    #[test]
    fn each_parameter_sets_its_field() {
        let mut expected = Selection::default();
        assert_eq!(read(""), Ok(expected.clone()));
        assert_eq!(read("player=&speed=&rated=false&since="), Ok(expected.clone()));
        expected.players = vec![Player::new("Tal, Mihail"), Player::new("Fischer")];
        expected.opponents = vec![Player::new("Byrne")];
        expected.color = Some(Color::Black);
        expected.eco = Some(Query::new("B9 C00-C19"));
        expected.openings = vec![Query::new("najdorf"), Query::new("french")];
        expected.results = vec![WantedResult::Win, WantedResult::Is(GameResult::Draw)];
        expected.since = Some("1956-10".parse().unwrap());
        expected.until = Some("1970".parse().unwrap());
        expected.rating = Some(2400..=4000);
        expected.rating_of = RatingOf::Opponent;
        expected.speeds = vec![Speed::Blitz, Speed::Rapid, Speed::Classical];
        expected.rated = Some(false);
        expected.events = vec![TagPart::new("open")];
        expected.sites = vec![TagPart::new("zurich")];
        expected.variants = vec![VariantName::new("standard")];
        expected.tags = vec![("Round".into(), "1.2".into()), ("A".into(), String::new())];
        expected.min_plies = 20;
        let query = "player=Tal,+Mihail&player=Fischer&opponent=Byrne&color=black&eco=B9,C00-C19&\
            opening=najdorf&opening=french&result=win,1/2-1/2&since=1956-10&until=1970&\
            rating=2400..&rating-of=opponent&speed=blitz,rapid&speed=classical&casual&event=Open&\
            site=Z%C3%BCrich&variant=Standard&tag=Round%3D1.2&tag=A%3D&min-plies=20";
        let mut found = read(query).unwrap();
        // The upper end of an open range is the highest number there is.
        found.rating = found.rating.filter(|range| *range.start() == 2400).map(|_| 2400..=4000);
        assert_eq!(found, expected);
        let names: Vec<&str> =
            query.split('&').map(|pair| pair.trim().split('=').next().unwrap()).collect();
        for name in SELECTION {
            let is_elsewhere = ["rated", "from-position"].contains(&name);
            assert!(is_elsewhere || names.contains(&name), "{name} is not tried");
        }
        assert!(read_query(&Parameters::read("from-position")).unwrap().from_position);
        assert_eq!(read("rated=1").unwrap().rated, Some(true));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        for (query, text) in [
            ("player=,", "player: expected the name of a player"),
            ("color=red&player=x", "color: expected white or black, not \"red\""),
            ("color=white", "color: goes with player or opponent"),
            ("eco=najdorf", "eco: expected a code such as B90, B9 or B, or a range, not "),
            ("opening=-", "opening: expected words or codes, not \"-\""),
            ("result=2-0", "result: not a result"),
            ("result=win", "result: win, loss and draw go with player or opponent"),
            ("since=soon", "since: not a date"),
            ("rating=x", "rating: "),
            ("rating=2000..&rating-of=him&player=x", "rating-of: expected player or opponent"),
            ("rating-of=player&player=x", "rating-of: goes with rating"),
            ("rating=2000..&rating-of=player", "rating-of: goes with player or opponent"),
            ("speed=fast", "speed: not a speed"),
            ("rated&casual", "rated: does not go with casual"),
            ("tag=Round", "tag: expected NAME=VALUE, such as Round=1.2, not \"Round\""),
            ("min-plies=-1", "min-plies: "),
        ] {
            let fault = read(query).expect_err(query);
            assert!(fault.starts_with(text), "{query}: {fault}");
        }
    }
}
