//! The parameters that several routes have.

use std::ops::RangeInclusive;

use crate::select::{Speed, expected, read_color};
use crate::web::request::{Parameters, read_whole};
use crate::{chess::Color, pgn::GameDate, quoted::Quoted, web::answer::Fault};

/// The first and the last year of the reference. A range up to one of them is open there.
const YEARS: RangeInclusive<u16> = 1952..=3000;

/// The names of standard chess, whatever position it begins from.
const STANDARD: [&str; 4] = ["chess", "standard", "chess960", "fromPosition"];

/// Checks that standard chess is asked for, whose games are all that is counted.
pub(super) fn check_variant(parameters: &Parameters) -> Result<(), Fault> {
    match parameters.get("variant") {
        Some(other) if !STANDARD.contains(&other) => {
            let reason = format_args!("only standard chess is counted, not {}", Quoted(other));
            Err(Fault::parameter("variant", reason))
        }
        _ => Ok(()),
    }
}

/// How many items of a list are shown: as many as are asked for, and no more than `most`.
pub(super) fn limit(parameters: &Parameters, name: &str, most: usize) -> Result<usize, Fault> {
    Ok(parameters.whole(name)?.map_or(most, |asked: usize| asked.min(most)))
}

/// A range of years: its ends, as far as they are not open.
pub(super) fn years(parameters: &Parameters) -> Result<[Option<GameDate>; 2], Fault> {
    range(parameters, "a year", |text| Some((text.parse().ok()?, 0)))
}

/// A range of months, or of years: its ends, as far as they are not open.
pub(super) fn months(parameters: &Parameters) -> Result<[Option<GameDate>; 2], Fault> {
    range(parameters, "a month", read_month)
}

fn range(
    parameters: &Parameters,
    what: &str,
    read: fn(&str) -> Option<(u16, u8)>,
) -> Result<[Option<GameDate>; 2], Fault> {
    let (first, last) = (*YEARS.start(), *YEARS.end());
    let end = |name, open_year, open_month| -> Result<_, Fault> {
        let Some(text) = parameters.get(name) else { return Ok(None) };
        let read = read(text).filter(|(year, _)| YEARS.contains(year));
        let (year, month) = read.ok_or_else(|| {
            Fault::parameter(name, expected(&format!("{what} from {first} to {last}"), text))
        })?;
        let is_open = year == open_year && [0, open_month].contains(&month);
        let number = u32::from(year) * 10_000 + u32::from(month) * 100;
        Ok(GameDate::from_number(number).filter(|_| !is_open))
    };
    Ok([end("since", first, 1)?, end("until", last, 12)?])
}

/// A month as clients write it, `2024-03` or `2024-3`; or a year with 0 for its month, which some
/// send for a month.
fn read_month(text: &str) -> Option<(u16, u8)> {
    let Some((year, month)) = text.split_once(['-', '/']) else {
        return Some((text.parse().ok()?, 0));
    };
    let month = month.parse().ok().filter(|month| (1..=12).contains(month))?;
    Some((year.parse().ok()?, month))
}

/// The items of a list that is asked for; `None` if there is no list, or if it has all items there
/// are, so that anything will do.
fn items<T: PartialEq>(
    parameters: &Parameters,
    name: &str,
    all: &[T],
    read: impl Fn(&str) -> Result<T, Fault>,
) -> Result<Option<Vec<T>>, Fault> {
    let Some(texts) = parameters.list(name) else { return Ok(None) };
    let items = texts.into_iter().map(read).collect::<Result<Vec<T>, Fault>>()?;
    Ok((!all.iter().all(|item| items.contains(item))).then_some(items))
}

/// Whether a list has no item, so that no game fits.
pub(super) fn is_nothing<T>(items: &Option<Vec<T>>) -> bool {
    items.as_ref().is_some_and(Vec::is_empty)
}

pub(super) fn speeds(parameters: &Parameters) -> Result<Option<Vec<Speed>>, Fault> {
    items(parameters, "speeds", Speed::ALL, |text| {
        text.parse().map_err(|fault| Fault::parameter("speeds", fault))
    })
}

/// Whether games are rated.
pub(super) fn modes(parameters: &Parameters) -> Result<Option<Vec<bool>>, Fault> {
    items(parameters, "modes", &[true, false], |mode| match mode {
        "rated" => Ok(true),
        "casual" => Ok(false),
        other => Err(Fault::parameter("modes", expected("rated or casual", other))),
    })
}

/// A colour by its name.
pub(super) fn color(parameters: &Parameters) -> Result<Option<Color>, Fault> {
    let color = parameters.get("color").map(read_color).transpose();
    color.map_err(|reason| Fault::parameter("color", reason))
}

/// The bands of the mean rating: each begins here and ends where the next one begins.
const BANDS: [u16; 9] = [0, 1000, 1200, 1400, 1600, 1800, 2000, 2200, 2500];

/// The lowest band that top games are from.
pub(super) const TOP_BAND: u16 = 2000;

/// The bands that are asked for, by where they begin. Any number stands for the band that it is in.
pub(super) fn bands(parameters: &Parameters) -> Result<Option<Vec<u16>>, Fault> {
    let band = |rating: u16| BANDS[BANDS.partition_point(|band| *band <= rating) - 1];
    let read = |text: &str| read_whole("ratings", text).map(band);
    let mut bands = items(parameters, "ratings", &BANDS, read)?;
    if let Some(bands) = &mut bands {
        bands.sort_unstable();
        bands.dedup();
    }
    Ok(bands)
}

/// The mean ratings of a band.
pub(super) fn ratings_of(band: u16) -> RangeInclusive<u16> {
    let next = BANDS.iter().find(|next| **next > band);
    band..=next.map_or(u16::MAX, |next| next - 1)
}

/// Whether every band is asked for from the top down to where top games are from.
pub(super) fn has_top_bands(bands: Option<&[u16]>) -> bool {
    let is_asked = |band: &u16| bands.is_none_or(|bands| bands.contains(band));
    BANDS.iter().filter(|band| **band >= TOP_BAND).all(is_asked)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Parameters {
        Parameters::read(query)
    }

    #[test]
    fn dates_are_read_with_what_clients_send() {
        let text = |ends: [Option<GameDate>; 2]| ends.map(|end| end.map(|date| date.to_string()));
        let owned = |text: Option<&str>| text.map(str::to_owned);
        for (query, since, until) in [
            ("", None, None),
            ("since=1990&until=2000", Some("1990"), Some("2000")),
            ("since=1952&until=3000", None, None),
        ] {
            assert_eq!(text(years(&read(query)).unwrap()), [owned(since), owned(until)], "{query}");
        }
        for (query, since, until) in [
            ("", None, None),
            ("since=2024-03&until=2024-3", Some("2024-03"), Some("2024-03")),
            ("since=1952-01&until=3000-12", None, None),
            ("since=1952-02&until=3000-11", Some("1952-02"), Some("3000-11")),
            ("since=2023&until=2024", Some("2023"), Some("2024")),
            ("since=1952&until=3000", None, None),
        ] {
            assert_eq!(
                text(months(&read(query)).unwrap()),
                [owned(since), owned(until)],
                "{query}"
            );
        }
        for query in ["since=1951", "until=3001", "since=x", "until=-1"] {
            assert_eq!(years(&read(query)).unwrap_err().status, 400, "{query}");
        }
        for query in ["since=1951-12", "until=2024-13", "since=1951", "since=2024-00", "until=-"] {
            assert_eq!(months(&read(query)).unwrap_err().status, 400, "{query}");
        }
    }

    #[test]
    fn an_empty_list_is_nothing_and_all_of_it_is_anything() {
        assert_eq!(speeds(&read("")).unwrap(), None);
        assert!(is_nothing(&speeds(&read("speeds=")).unwrap()));
        assert_eq!(
            speeds(&read("speeds=blitz,ultraBullet")).unwrap(),
            Some(vec![Speed::Blitz, Speed::UltraBullet])
        );
        let all = "speeds=ultraBullet,bullet,blitz,rapid,classical,correspondence";
        assert_eq!(speeds(&read(all)).unwrap(), None);
        assert!(speeds(&read("speeds=fast")).is_err());
        assert_eq!(modes(&read("modes=casual,rated")).unwrap(), None);
        assert_eq!(modes(&read("modes=casual")).unwrap(), Some(vec![false]));
        assert!(modes(&read("modes=both")).is_err());
    }

    #[test]
    fn ratings_are_bands_of_the_mean() {
        let bands_of = |query| bands(&read(query)).unwrap();
        assert_eq!(bands_of("ratings=1600,1799,2600"), Some(vec![1600, 2500]));
        assert_eq!(bands_of("ratings=0,999"), Some(vec![0]));
        assert_eq!(ratings_of(0), 0..=999);
        assert_eq!(ratings_of(2200), 2200..=2499);
        assert_eq!(ratings_of(2500), 2500..=u16::MAX);
        assert_eq!(bands_of("ratings=0,1000,1200,1400,1600,1800,2000,2200,2500"), None);
        for (query, is_top) in [
            ("", true),
            ("ratings=2500,2200,2000", true),
            ("ratings=2500,2200,2000,1600", true),
            ("ratings=2500,2200", false),
            ("ratings=2200,2000", false),
            ("ratings=", false),
        ] {
            assert_eq!(has_top_bands(bands_of(query).as_deref()), is_top, "{query}");
        }
        assert!(bands(&read("ratings=-1")).is_err() && bands(&read("ratings=x")).is_err());
    }

    #[test]
    fn other_variants_are_refused() {
        for (query, is_read) in [
            ("", true),
            ("variant=standard", true),
            ("variant=fromPosition", true),
            ("variant=atomic", false),
            ("variant=x", false),
        ] {
            assert_eq!(check_variant(&read(query)).is_ok(), is_read, "{query}");
        }
        assert_eq!(limit(&read("moves=100"), "moves", 12), Ok(12));
        assert_eq!(limit(&read("moves=3"), "moves", 12), Ok(3));
        assert_eq!(limit(&read(""), "moves", 12), Ok(12));
        assert!(limit(&read("moves=x"), "moves", 12).is_err());
    }
}
