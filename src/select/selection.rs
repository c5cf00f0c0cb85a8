//! Which games are meant, and a selection that knows a catalogue.

use std::{borrow::Cow, ops::RangeInclusive, str::FromStr, sync::Arc};

use super::pattern::{Material, PawnStructure, WantedPositions};
use super::tag_value::{GameResult, Speed};
use super::{game_info::GameInfo, player::Player};
use crate::catalogue::{Catalogue, Query, plain_letters};
use crate::classify::{Classifier, Header, NamedAt};
use crate::pgn::{GameDate, decode_text, is_standard_chess};
use crate::{chess::Color, chess::PositionKey, opening::Opening, quoted::Quoted};

/// Which games are meant. The default is all games.
///
/// Each field that is set leaves games out; a list is passed by a game that any of its items
/// passes. A game that does not say what a field asks for is left out.
///
/// ```
/// use eco::{chess::Color, pgn::Game, select::{GameInfo, Player, Selection}};
///
/// let mut selection = Selection::default();
/// selection.players = vec![Player::new("Fischer, Robert")];
/// selection.since = Some("1956-10".parse()?);
/// let game = b"[Black \"Robert Fischer\"]\n[Date \"1956.??.??\"]\n\n1. Nf3 Nf6 0-1\n";
/// let found = selection.matches(&GameInfo::read(&Game::from_bytes(game)), || None);
/// assert_eq!(found.expect("it may be of October").color, Some(Color::Black));
/// # Ok::<(), eco::pgn::ParseDateError>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq)]
#[non_exhaustive]
pub struct Selection {
    /// The players asked for. A result or a rating is seen from their side.
    pub players: Vec<Player>,
    /// The colour that the player has; without players, the side that results are seen from.
    pub color: Option<Color>,
    /// Who plays against them.
    pub opponents: Vec<Player>,
    /// Codes of the opening.
    pub eco: Option<Query>,
    /// Words of its name.
    pub openings: Vec<Query>,
    /// How the game ended.
    pub results: Vec<WantedResult>,
    /// Only games that are not certainly before this date.
    pub since: Option<GameDate>,
    /// Only games that are not certainly after this date.
    pub until: Option<GameDate>,
    /// The ratings of the players.
    pub rating: Option<RangeInclusive<u16>>,
    /// Which players these ratings are of.
    pub rating_of: RatingOf,
    /// How fast the game is.
    pub speeds: Vec<Speed>,
    /// Whether it counts for ratings.
    pub rated: Option<bool>,
    /// A part of `Event`.
    pub events: Vec<TagPart>,
    /// A part of `Site`.
    pub sites: Vec<TagPart>,
    /// The value of `Variant`. A game without one is `standard`.
    pub variants: Vec<VariantName>,
    /// The numbers of the games in their sources.
    pub games: Vec<RangeInclusive<u64>>,
    /// Names and values of tags, as the game has them. A missing tag has an empty value. Of several
    /// values for one name any passes, but each name must pass.
    pub tags: Vec<(String, String)>,
    /// The half-moves of the main line, as written.
    pub min_plies: usize,
    /// Positions that the game reaches, whatever the order of its moves.
    pub positions: Vec<PositionKey>,
    /// Whether games that begin in another position are searched for these, and for what follows.
    pub from_position: bool,
    /// Pawn structures, of which a position of the game has one.
    pub structures: Vec<PawnStructure>,
    /// Material, of which the same position has one.
    pub materials: Vec<Material>,
    /// The number of half-moves for which it stays so, at least; 0 is as 1.
    pub lasting: usize,
    /// Games are left out that one of these selects.
    pub not: Vec<Self>,
}

/// A result that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WantedResult {
    /// This one.
    Is(GameResult),
    /// The player has won.
    Win,
    /// The player has lost.
    Loss,
    /// The player has drawn.
    Draw,
}

/// Which players a range of ratings is about.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum RatingOf {
    /// Both.
    #[default]
    Both,
    /// The player asked for; both, if nobody is.
    Player,
    /// The opponent; both, if nobody is asked for.
    Opponent,
}

/// A game that was selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Match {
    /// The colour of the player asked for; White, if both are. `None` if the selection names
    /// nobody and no colour.
    pub color: Option<Color>,
    /// The ply at which the game first has the structure and the material, or else the position,
    /// that is asked for.
    pub ply: Option<usize>,
    /// Whether the other player is asked for as well, and fits.
    is_both: bool,
}

impl Match {
    /// The colours of those who are asked for: one, or both if they play each other.
    pub fn sides(self) -> impl Iterator<Item = Color> {
        self.color.into_iter().chain(self.color.filter(|_| self.is_both).map(|color| !color))
    }
}

impl Selection {
    /// Whether a game is selected. `opening` is called only if the selection asks for openings and
    /// everything else fits, so that a selection by tags never plays a move.
    pub fn matches<'o>(
        &self,
        game: &GameInfo<'_>,
        opening: impl FnOnce() -> Option<&'o Opening>,
    ) -> Option<Match> {
        self.match_named(game, || opening().map(|opening| (opening, self.has_opening(opening))))
    }

    /// As [`matches`](Self::matches), where `named` returns the opening, and whether it is one that
    /// is asked for.
    fn match_named<'o>(
        &self,
        game: &GameInfo<'_>,
        named: impl FnOnce() -> Option<(&'o Opening, bool)>,
    ) -> Option<Match> {
        let found = self.match_unnamed(game)?;
        if !self.asks_for_opening() {
            return Some(found);
        }
        let named = named();
        let fits = !self.asks_for_own_opening() || named.is_some_and(|(_, fits)| fits);
        (fits && !self.is_left_out(game, named.map(|(opening, _)| opening))).then_some(found)
    }

    /// Whether it selects every game.
    pub fn is_everything(&self) -> bool {
        *self == Self::default()
    }

    /// Whether games must be played to be selected.
    pub fn asks_for_opening(&self) -> bool {
        self.asks_for_own_opening() || self.not.iter().any(Self::asks_for_opening)
    }

    pub(super) fn asks_for_own_opening(&self) -> bool {
        self.eco.is_some() || !self.openings.is_empty()
    }

    /// Whether a game of this opening is left out by a condition that asks for it.
    fn is_left_out(&self, game: &GameInfo<'_>, opening: Option<&Opening>) -> bool {
        let mut by_opening = self.not.iter().filter(|not| not.asks_for_opening());
        by_opening.any(|not| not.matches(game, || opening).is_some())
    }

    /// Whether an opening is asked for.
    pub(crate) fn has_opening(&self, opening: &Opening) -> bool {
        self.eco.as_ref().is_none_or(|codes| codes.matches(opening))
            && (self.openings.is_empty() || self.openings.iter().any(|o| o.matches(opening)))
    }

    /// Whether a game is selected but for its opening.
    fn match_unnamed(&self, game: &GameInfo<'_>) -> Option<Match> {
        let number = game.game().number();
        let has_number = self.games.is_empty() || self.games.iter().any(|r| r.contains(&number));
        let fits = has_number
            && self.has_date(|| game.date())
            && (self.speeds.is_empty() || game.speed().is_some_and(|s| self.speeds.contains(&s)))
            && (self.rated.is_none() || game.is_rated() == self.rated)
            && has_part(&self.events, game, "Event")
            && has_part(&self.sites, game, "Site")
            && self.has_variant(game)
            && self.has_tags(game);
        if !fits {
            return None;
        }
        let mut sides = self
            .sides(game)
            .filter(|side| self.fits_side(*side, |color| game.rating(color), || game.result()));
        let (color, is_both) = (sides.next()?, sides.next().is_some());
        let mut unnamed = self.not.iter().filter(|not| !not.asks_for_opening());
        let fits = (self.min_plies == 0 || game.plies() >= self.min_plies)
            && !unnamed.any(|not| not.match_unnamed(game).is_some());
        let find = |wanted| game.find(&wanted).map(Some);
        let ply = if fits { self.wanted_positions().map_or(Some(None), find)? } else { None };
        fits.then_some(Match { color, ply, is_both })
    }

    /// Whether a position, a structure or material is asked for.
    pub fn asks_for_positions(&self) -> bool {
        self.wanted_positions().is_some()
    }

    /// What is asked of positions, if anything is.
    pub(crate) fn wanted_positions(&self) -> Option<WantedPositions<'_>> {
        let Self { positions, structures, materials, from_position, lasting, .. } = self;
        let is_asked = !(positions.is_empty() && structures.is_empty() && materials.is_empty());
        let (from_position, lasting) = (*from_position, *lasting);
        let wanted =
            WantedPositions { keys: positions, from_position, structures, materials, lasting };
        is_asked.then_some(wanted)
    }

    /// Whether the date of a game fits.
    #[inline]
    pub(crate) fn has_date(&self, date: impl FnOnce() -> Option<GameDate>) -> bool {
        if self.since.is_none() && self.until.is_none() {
            return true;
        }
        let Some(date) = date() else { return false };
        self.since.is_none_or(|since| !date.is_before(since))
            && self.until.is_none_or(|until| !until.is_before(date))
    }

    fn has_variant(&self, game: &GameInfo<'_>) -> bool {
        self.variants.is_empty() || {
            let header = Header::read(game.tags());
            let played = VariantName::of_tag(header.played_variant());
            self.variants.iter().any(|variant| variant.is(&played))
        }
    }

    fn has_tags(&self, game: &GameInfo<'_>) -> bool {
        self.tags.iter().all(|(name, _)| {
            let value = game.tag_text(name).unwrap_or_default();
            self.tags.iter().any(|(other, wanted)| other == name && *wanted == value)
        })
    }

    /// Whether players or their opponents are asked for by name.
    pub fn asks_for_players(&self) -> bool {
        !(self.players.is_empty() && self.opponents.is_empty())
    }

    /// The sides that a game may be seen from: those of the players asked for.
    fn sides(&self, game: &GameInfo<'_>) -> impl Iterator<Item = Option<Color>> {
        let anybody = !self.asks_for_players();
        let is_asked_for = |players: &[Player], color| {
            players.is_empty() || {
                let name = game.name(color).unwrap_or_default();
                players.iter().any(|player| player.is_named(&name))
            }
        };
        let sides = [Color::White, Color::Black].map(|color| {
            let fits = !anybody
                && self.color.is_none_or(|asked| asked == color)
                && is_asked_for(&self.players, color)
                && is_asked_for(&self.opponents, !color);
            fits.then_some(Some(color))
        });
        sides.into_iter().flatten().chain(anybody.then_some(self.color))
    }

    /// Whether the ratings and the result of a game fit, seen from a side.
    #[inline]
    pub(crate) fn fits_side(
        &self,
        side: Option<Color>,
        rating: impl Fn(Color) -> Option<u16>,
        result: impl FnOnce() -> GameResult,
    ) -> bool {
        let is_named = self.asks_for_players();
        let has_rating = |range: &RangeInclusive<u16>| {
            let fits = |color| rating(color).is_some_and(|rating| range.contains(&rating));
            match (self.rating_of, side.filter(|_| is_named)) {
                (RatingOf::Player, Some(color)) => fits(color),
                (RatingOf::Opponent, Some(color)) => fits(!color),
                (RatingOf::Both, _) | (_, None) => fits(Color::White) && fits(Color::Black),
            }
        };
        self.rating.as_ref().is_none_or(has_rating)
            && (self.results.is_empty() || {
                let result = result();
                self.results.iter().any(|wanted| wanted.is(result, side))
            })
    }
}

impl WantedResult {
    pub(crate) fn is(self, result: GameResult, side: Option<Color>) -> bool {
        let winner = result.winner();
        match self {
            Self::Is(wanted) => wanted == result,
            Self::Win => side.is_some() && winner == side,
            Self::Loss => side.is_some() && winner.is_some_and(|winner| Some(winner) != side),
            Self::Draw => side.is_some() && result == GameResult::Draw,
        }
    }

    /// Whether it depends on who is asked for.
    pub fn needs_player(self) -> bool {
        !matches!(self, Self::Is(_))
    }
}

/// The text is not a result.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not a result (1-0, 0-1, 1/2-1/2, *, win, loss, draw): {}", Quoted(.0))]
pub struct ParseResultError(String);

impl FromStr for WantedResult {
    type Err = ParseResultError;

    fn from_str(text: &str) -> Result<Self, ParseResultError> {
        Ok(match &*text.trim().to_ascii_lowercase() {
            "1-0" => Self::Is(GameResult::WhiteWins),
            "0-1" => Self::Is(GameResult::BlackWins),
            "1/2-1/2" | "1/2" => Self::Is(GameResult::Draw),
            "*" => Self::Is(GameResult::Unknown),
            "win" => Self::Win,
            "loss" => Self::Loss,
            "draw" => Self::Draw,
            _ => return Err(ParseResultError(text.to_owned())),
        })
    }
}

fn has_part(wanted: &[TagPart], game: &GameInfo<'_>, tag: &str) -> bool {
    wanted.is_empty() || TagPart::is_any_in(wanted, &game.tag_text(tag).unwrap_or_default())
}

/// Selects games by a [`Selection`] and the openings of a catalogue. Clones are cheap.
///
/// ```
/// use eco::catalogue::{Catalogue, Query};
/// use eco::{classify::Classifier, pgn::games, select::{GameInfo, Selection, Selector}};
///
/// let mut selection = Selection::default();
/// selection.eco = Some(Query::new("B20-B99"));
/// let selector = Selector::new(selection, Classifier::new(Catalogue::builtin()));
/// let found = games(b"1. e4 e5 *\n\n1. e4 c5 *\n").filter(|game| {
///     selector.select(&GameInfo::read(game)).is_some()
/// });
/// assert_eq!(found.map(|game| game.number()).collect::<Vec<_>>(), [2]);
/// ```
#[derive(Debug, Clone)]
pub struct Selector<'c> {
    selection: Arc<Selection>,
    /// `None` for the built-in catalogue, which is not read unless an opening is asked for.
    classifier: Option<Classifier<'c>>,
    /// Whether the opening of each line of the catalogue is asked for; none if no opening is.
    lines: Arc<[bool]>,
}

impl<'c> Selector<'c> {
    /// A selector that names openings like `classifier`.
    pub fn new(selection: Selection, classifier: Classifier<'c>) -> Self {
        let lines = match selection.asks_for_opening() {
            true => classifier.catalogue().lines(),
            false => &[],
        };
        let lines = lines.iter().map(|line| selection.has_opening(&line.opening)).collect();
        Self { selection: Arc::new(selection), classifier: Some(classifier), lines }
    }

    fn classifier(&self) -> Classifier<'c> {
        self.classifier.unwrap_or_else(|| Classifier::new(Catalogue::builtin()))
    }

    /// What is selected.
    pub fn selection(&self) -> &Selection {
        &self.selection
    }

    /// Whether a game is selected. It is classified only if it may be selected by its opening.
    pub fn select(&self, game: &GameInfo<'_>) -> Option<Match> {
        self.select_named(game, || self.classifier().classify(game.game()).verdict.named)
    }

    /// Whether a game is selected that the caller classifies. `named` is called only if the game
    /// may be selected by its opening; the name must be from the same catalogue.
    pub fn select_named(
        &self,
        game: &GameInfo<'_>,
        named: impl FnOnce() -> Option<NamedAt<'c>>,
    ) -> Option<Match> {
        let fits = |named: NamedAt<'_>| self.lines.get(named.line_index()).is_some_and(|is| *is);
        self.selection.match_named(game, || named().map(|named| (named.opening(), fits(named))))
    }
}

/// A selector that names openings by the built-in catalogue.
impl From<Selection> for Selector<'_> {
    fn from(selection: Selection) -> Self {
        if selection.asks_for_opening() {
            return Self::new(selection, Classifier::new(Catalogue::builtin()));
        }
        Self { selection: Arc::new(selection), classifier: None, lines: Arc::default() }
    }
}

// Texts that are looked for are made once, since they are compared with every game.

/// A part of the value of a tag; case and accents do not matter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagPart(String);

impl TagPart {
    /// The part that is written like this.
    pub fn new(text: &str) -> Self {
        Self(fold(text).into_owned())
    }

    /// Whether a value has one of these parts.
    pub(crate) fn is_any_in(parts: &[Self], value: &str) -> bool {
        let folded = fold(value);
        parts.iter().any(|part| folded.contains(&part.0))
    }
}

/// The name of a variant; case, blanks and hyphens do not matter.
///
/// All names of standard chess are one. `From Position`, lichess's name for standard chess from
/// another start, is one of them in a game; asked for, it is only that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariantName {
    folded: String,
    is_standard: bool,
}

impl VariantName {
    /// The variant that has this name.
    pub fn new(name: &str) -> Self {
        let folded = fold(name.trim()).replace([' ', '-'], "");
        let is_standard = is_standard_chess(name.as_bytes()) && folded != "fromposition";
        Self { folded, is_standard }
    }

    /// The variant that a tag names.
    pub(crate) fn of_tag(value: &[u8]) -> Self {
        Self { is_standard: is_standard_chess(value), ..Self::new(&decode_text(value)) }
    }

    /// Whether this is the variant of a game.
    pub(crate) fn is(&self, played: &Self) -> bool {
        self.folded == played.folded || (self.is_standard && played.is_standard)
    }
}

/// A text without capitals and accents.
pub(crate) fn fold(text: &str) -> Cow<'_, str> {
    let plain = if text.is_ascii() { Cow::Borrowed(text) } else { plain_letters(text).into() };
    plain.to_lowercase().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_folded_when_it_is_made() {
        assert_eq!(TagPart::new("ZÜRICH"), TagPart::new("zurich"));
        assert!(TagPart::is_any_in(&[TagPart::new("Zürich")], "Candidates, ZURICH 1953"));
        assert!(!TagPart::is_any_in(&[TagPart::new("Zürich")], "zuri ch"));
    }

    #[test]
    fn a_variant_has_one_name_in_many_spellings() {
        for (asked, tag, is) in [
            ("three check", "Three-Check", true),
            ("From Position", "", false),
            ("From Position", "Standard", false),
            ("from-position", "From Position", true),
            ("standard", "From Position", true),
            ("standard", "", true),
            ("Chess", "From Position", true),
            ("standard", "Standard", true),
            ("Chess", "standard", true),
            ("atomic", "standard", false),
            ("standard", "Atomic", false),
        ] {
            let is_it = VariantName::new(asked).is(&VariantName::of_tag(tag.as_bytes()));
            assert_eq!(is_it, is, "{asked:?} in a game of {tag:?}");
        }
    }
}
