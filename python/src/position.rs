//! Positions and moves: what Python passes for them, and what can be asked of them by themselves.
//!
//! Objects of python-chess are recognized by their methods, so that it is never imported: a
//! `chess.Board` has `fen` and `move_stack`, a `chess.pgn.Game` has `mainline_moves`.

use eco::{
    chess::{
        Chess, Color, EnPassantMode, Fen, FenReading, Language, ParseLanguageError, PositionKey,
        Square,
        fen::{FenTable, complete_fen, unwrap_fen},
    },
    classify::{Question, QuestionFault},
    diagram::{Arrow, Coordinates, Diagram, Mark, Paint, ParseMarkError, Preset},
    output::{fen_move_json, fen_reading_json},
    pgn::play_typed,
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyString};

use crate::{
    arguments::{texts, whole},
    errors::{ArgumentError, FenError, fen_error, question_error, typed_error, unknown_name, warn},
    input::bytes_of,
    tag::choose,
};

/// The text of a FEN: a `str`, a board, or a game, of which it is the last position.
pub(crate) fn fen_text(position: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = position.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if position.hasattr("mainline_moves")? {
        return fen_text(&position.call_method0("end")?.call_method0("board")?);
    }
    if position.hasattr("fen")? {
        return position.call_method0("fen")?.extract();
    }
    let found = position.get_type().name()?;
    Err(PyTypeError::new_err(format!(
        "expected a FEN as str, a chess.Board or a chess.pgn.Game, not {found}"
    )))
}

/// The same, of standard chess: a board of Chess960 or of another variant has a FEN that means
/// something else there.
pub(crate) fn standard_fen_text(position: &Bound<'_, PyAny>) -> PyResult<String> {
    let board = match position.hasattr("mainline_moves")? {
        true => position.call_method0("end")?.call_method0("board")?,
        false => position.clone(),
    };
    if board.hasattr("fen")?
        && let Some(variant) = variant(&board)?
    {
        return Err(FenError::new_err(format!("variant {variant}: has no name and no key here")));
    }
    fen_text(&board)
}

/// The variant of a board; `None` for standard chess.
fn variant(board: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
    let variant: Option<String> = match board.getattr_opt("uci_variant")? {
        Some(variant) => variant.extract()?,
        None => None,
    };
    let is_chess960 = match board.getattr_opt("chess960")? {
        Some(is_chess960) => is_chess960.is_truthy()?,
        None => false,
    };
    let variant = variant.filter(|name| name != "chess");
    Ok(variant.or_else(|| is_chess960.then(|| "Chess960".to_owned())))
}

/// What a picture shows, of any variant.
fn read_fen(position: &Bound<'_, PyAny>) -> PyResult<Fen> {
    parse_fen(&fen_text(position)?)
}

/// As everywhere, one to three fields are enough, a FEN may be in its tag or an address, and moves,
/// a code or a name stand for the position that they lead to.
fn parse_fen(text: &str) -> PyResult<Fen> {
    match typed_fen(text) {
        Some(Err(fault @ QuestionFault::Moves { .. })) => return Err(question_error(&fault)),
        Some(typed) => return typed.map_err(|fault| FenError::new_err(fault.to_string())),
        None => {}
    }
    let (text, _) = unwrap_fen(text.trim());
    Fen::from_ascii(complete_fen(&text).0.as_bytes()).map_err(|fault| fen_error(&fault))
}

/// The position of what is no FEN, or why it cannot be read; `None` for a FEN.
fn typed_fen(text: &str) -> Option<Result<Fen, QuestionFault>> {
    let (fen, forgiven) = unwrap_fen(text.trim());
    if !forgiven.is_empty() || fen.contains('/') && !fen.contains("://") {
        return None;
    }
    let question = text.parse::<Question>();
    Some(question.map(|question| Fen::from_position(question.end(), EnPassantMode::Always)))
}

/// Says what a name with slips was taken for.
pub(crate) fn warn_of_slips(question: &Question) -> PyResult<()> {
    let warning = |correction| Python::attach(|py| warn(py, correction));
    question.correction().map_or(Ok(()), warning)
}

const INITIAL_FEN: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// One game as PGN: movetext as `str` or bytes, moves as SAN, UCI or `chess.Move`, a board with its
/// moves, or a game. Where it does not begin in the initial position it has a FEN tag.
pub(crate) fn game_text(moves: &Bound<'_, PyAny>) -> PyResult<String> {
    if moves.hasattr("mainline_moves")? {
        return Ok(start_tags(&moves.call_method0("board")?)? + &move_text(moves)?);
    }
    if moves.hasattr("move_stack")? {
        return Ok(start_tags(&moves.call_method0("root")?)? + &move_text(moves)?);
    }
    move_text(moves)
}

/// The moves alone, without the position that they begin in.
fn move_text(moves: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(text) = moves.cast::<PyString>() {
        return Ok(text.to_str()?.to_owned());
    }
    if let Some(bytes) = bytes_of(moves)? {
        return Ok(String::from_utf8_lossy((*bytes).as_ref()).into_owned());
    }
    if moves.hasattr("mainline_moves")? {
        return words(&moves.call_method0("mainline_moves")?);
    }
    if moves.hasattr("move_stack")? {
        return words(&moves.getattr("move_stack")?);
    }
    words(moves)
}

/// The tags of a game that begins with this board; none for the initial position.
fn start_tags(board: &Bound<'_, PyAny>) -> PyResult<String> {
    let variant = variant(board)?;
    let fen: String = board.call_method0("fen")?.extract()?;
    let mut tags = String::new();
    if let Some(variant) = variant {
        tags += &format!("[Variant \"{variant}\"]\n");
    }
    if fen != INITIAL_FEN {
        tags += &format!("[FEN \"{fen}\"]\n");
    }
    Ok(if tags.is_empty() { tags } else { tags + "\n" })
}

/// Moves, separated by blanks.
fn words(moves: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut text = String::new();
    let items = moves.try_iter().map_err(|_| {
        PyTypeError::new_err(
            "expected movetext as str or bytes, a list of moves, a chess.Board or a \
             chess.pgn.Game",
        )
    })?;
    for item in items {
        let item = item?;
        // A `chess.Move` prints as UCI.
        if !(item.is_instance_of::<PyString>() || item.hasattr("uci")?) {
            let found = item.repr()?;
            return Err(PyTypeError::new_err(format!(
                "expected moves as str or chess.Move, not {found}"
            )));
        }
        text += item.str()?.to_str()?;
        text.push(' ');
    }
    Ok(text)
}

/// The key of a position: its FEN without history.
///
/// Two positions have one key exactly when the rules of chess cannot tell them apart: placement,
/// side to move, castling rights, and an en passant square only if a legal capture exists.
///
/// >>> import eco_openings as eco
/// >>> eco.key("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1")
/// 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -'
#[pyfunction]
pub(crate) fn key(position: &Bound<'_, PyAny>) -> PyResult<String> {
    Ok(read_key(position)?.to_string())
}

pub(crate) fn read_key(position: &Bound<'_, PyAny>) -> PyResult<PositionKey> {
    Ok(PositionKey::from_position(&read_position(position)?, EnPassantMode::Legal))
}

pub(crate) fn read_position(position: &Bound<'_, PyAny>) -> PyResult<Chess> {
    let fen = parse_fen(&standard_fen_text(position)?)?;
    fen.to_position().map_err(|fault| fen_error(&fault))
}

/// What is wrong with a FEN, as a dict: `class` ("ok" if nothing is), every fault with field and
/// column, what was forgiven, and the repaired FEN if there is only one. The keys are those of
/// `eco fen check --format jsonl`.
///
/// >>> import eco_openings as eco
/// >>> reading = eco.check("4k3/8/8/8/4P3/8/8/4K3 b K e4 0 1")
/// >>> reading["class"], reading["repaired"]
/// ('impossible', '4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1')
#[pyfunction]
pub(crate) fn check<'py>(position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    let text = fen_text(position)?;
    let text = match typed_fen(&text) {
        Some(Err(fault @ QuestionFault::Moves { .. })) => return Err(question_error(&fault)),
        Some(Ok(fen)) => fen.to_string(),
        // One word may be meant as a FEN.
        _ => text,
    };
    let reading = FenReading::from_ascii(text.as_bytes());
    from_json(position.py(), &fen_reading_json(text.as_bytes(), None, &reading))
}

/// A language by its code or its English name.
pub(crate) fn read_language(lang: &str) -> PyResult<Language> {
    lang.parse().map_err(|error: ParseLanguageError| {
        let known = Language::ALL.iter().map(|language| language.code().to_owned()).collect();
        unknown_name(error.to_string(), lang, known)
    })
}

/// Plays moves from a position, as `eco fen move` does.
///
/// The moves are movetext, a list of SAN, UCI or `chess.Move`, or those of a board or a game. They
/// are read as people type them and books print them; `lang` is the language of their piece letters
/// ("de"). Returns the last position and move as a dict, with the keys of
/// `eco fen move --format jsonl`; with a number as `ply` the one after that number of moves, and
/// with ply="all" a list of those after every move. `ep` is the en passant squares that the FEN
/// has: "always", "pseudo-legal" or "legal".
///
/// Raises MoveError at the first move that cannot be played, and says why.
///
/// >>> import eco_openings as eco
/// >>> eco.move("startpos", "1. e4 d5 2. ed")["fen"]
/// 'rnbqkbnr/ppp1pppp/8/3P4/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2'
/// >>> [step["uci"] for step in eco.move("startpos", "e4 Sf6", lang="de", ply="all")]
/// ['e2e4', 'g8f6']
#[pyfunction(name = "move")]
#[pyo3(signature = (position, moves, *, lang = "en", ply = None, ep = "always"))]
pub(crate) fn play<'py>(
    position: &Bound<'py, PyAny>,
    moves: &Bound<'py, PyAny>,
    lang: &str,
    ply: Option<&Bound<'py, PyAny>>,
    ep: &str,
) -> PyResult<Bound<'py, PyAny>> {
    let lang = read_language(lang)?;
    let mode = choose("ep", ep, &EN_PASSANT_MODES)?;
    let wanted = Plies::read(ply)?;
    let start = read_start(position)?;
    let mut at = start.clone();
    let mut steps = vec![fen_move_json(None, 0, None, &start, mode)];
    let end = play_typed(start, &move_text(moves)?, lang, |m, after| {
        steps.push(fen_move_json(None, steps.len(), Some((&at, m)), after, mode));
        at = after.clone();
    });
    end.map_err(|error| typed_error(&error))?;
    let text = match wanted {
        Plies::All => format!("[{}]", steps[1..].join(",")),
        Plies::Last => steps.pop().unwrap_or_default(),
        Plies::At(ply) if ply < steps.len() => steps.swap_remove(ply),
        Plies::At(ply) => {
            return Err(ArgumentError::new_err(format!("the moves end before ply {ply}")));
        }
    };
    from_json(position.py(), &text)
}

/// The positions of a line that are wanted.
enum Plies {
    Last,
    At(usize),
    All,
}

impl Plies {
    fn read(ply: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(ply) = ply else { return Ok(Self::Last) };
        match ply.cast::<PyString>() {
            Ok(word) => choose("ply", word.to_str()?, &[("all", ())]).map(|()| Self::All),
            Err(_) => Ok(whole("ply", Some(ply.extract()?))?.map_or(Self::Last, Self::At)),
        }
    }
}

const EN_PASSANT_MODES: [(&str, EnPassantMode); 3] = [
    ("always", EnPassantMode::Always),
    ("pseudo-legal", EnPassantMode::PseudoLegal),
    ("legal", EnPassantMode::Legal),
];

/// The position that moves begin in.
fn read_start(position: &Bound<'_, PyAny>) -> PyResult<Chess> {
    let fen = parse_fen(&standard_fen_text(position)?)?;
    if fen.is_chess960() {
        let reason = "the castling rights are those of Chess960, whose moves are not played here";
        return Err(FenError::new_err(reason));
    }
    fen.to_position().map_err(|fault| fen_error(&fault))
}

/// The fields of a FEN and its board as a dict, as `eco fen check --format json` prints them.
///
/// The board has eight rows, the eighth rank first, with the letter of a piece or a blank for every
/// square.
///
/// >>> import eco_openings as eco
/// >>> table = eco.table("4k3/8/8/8/8/8/8/4K2R w K - 3 20")
/// >>> table["castling"], table["halfmoves"], table["ply"], table["board"][7][4]
/// ('K', 3, 38, 'K')
#[pyfunction]
pub(crate) fn table<'py>(position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
    from_json(position.py(), &FenTable::from_fen(&read_fen(position)?).to_json())
}

/// The value of a JSON text of the library.
pub(crate) fn from_json<'py>(py: Python<'py>, text: &str) -> PyResult<Bound<'py, PyAny>> {
    py.import("json")?.call_method1("loads", (text,))
}

/// A diagram as the text of an SVG.
#[pyfunction]
#[pyo3(signature = (
    position, *, side = "white", theme = "wood", mark = None, circle = None, show = None,
    title = "", width = 512,
))]
#[expect(clippy::too_many_arguments, reason = "they are keywords in Python")]
pub(crate) fn svg(
    position: &Bound<'_, PyAny>,
    side: &str,
    theme: &str,
    mark: Option<&Bound<'_, PyAny>>,
    circle: Option<&Bound<'_, PyAny>>,
    show: Option<&Bound<'_, PyAny>>,
    title: &str,
    width: u32,
) -> PyResult<String> {
    let mut diagram = Diagram::new(read_fen(position)?);
    let sides = [("white", Color::White), ("black", Color::Black), ("mover", diagram.fen.turn())];
    diagram.bottom = choose("side", side, &sides)?;
    for mark in items(mark)? {
        match read_arrow(&mark)? {
            Some(arrow) => diagram.arrows.push(arrow),
            None => diagram.marks.push(read_square(&mark, ", or an arrow such as e2e4")?),
        }
    }
    let circles = items(circle)?;
    diagram.circles =
        circles.iter().map(|circle| read_square(circle, "")).collect::<PyResult<_>>()?;
    diagram.caption = title.to_owned();
    read_shown(show, &mut diagram)?;
    let preset: Preset = theme.parse().map_err(|error: eco::diagram::ParseThemeError| {
        let known = Preset::ALL.iter().map(|preset| preset.name().to_owned()).collect();
        unknown_name(error.to_string(), theme, known)
    })?;
    let mut theme = preset.theme();
    if !(32..=4000).contains(&width) {
        return Err(ArgumentError::new_err(format!("width is 32 to 4000, not {width}")));
    }
    theme.square = width / 8;
    Ok(diagram.to_svg(&theme))
}

/// What stands beside the pieces; coordinates and the side to move if nothing is said.
fn read_shown(show: Option<&Bound<'_, PyAny>>, diagram: &mut Diagram) -> PyResult<()> {
    let words: Vec<String> = match show {
        None => ["coordinates", "mover"].map(str::to_owned).to_vec(),
        Some(show) => match show.cast::<PyString>() {
            Ok(list) => list.to_str()?.split(',').map(str::to_owned).collect(),
            Err(_) => texts(show)?,
        },
    };
    let known = ["coordinates", "mover", "check", "none"].map(|name| (name, name));
    let words = words.iter().map(|word| choose("show", word, &known));
    let words = words.collect::<PyResult<Vec<&str>>>()?;
    diagram.coordinates = match words.contains(&"coordinates") {
        true => Coordinates::Shown,
        false => Coordinates::Hidden,
    };
    (diagram.mover, diagram.check) = (Some(words.contains(&"mover")), words.contains(&"check"));
    Ok(())
}

/// What is to be marked, also a `chess.SquareSet`.
fn items<'py>(marked: Option<&Bound<'py, PyAny>>) -> PyResult<Vec<Bound<'py, PyAny>>> {
    let Some(marked) = marked else { return Ok(Vec::new()) };
    if marked.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("expected a list, such as ['e4']"));
    }
    marked.try_iter()?.collect()
}

/// A square: `e4`, `e4=#cc3333`, or a number of python-chess. `other` is what else could be there.
fn read_square(square: &Bound<'_, PyAny>, other: &str) -> PyResult<Mark> {
    if let Ok(number) = square.extract::<u32>() {
        return Ok(Mark { square: numbered(number)?, paint: None });
    }
    let text = square.str()?;
    let read = text.to_str()?.parse();
    read.map_err(|error: ParseMarkError| ArgumentError::new_err(format!("{error}{other}")))
}

/// An arrow: `e2e4`, `e2e4=#cc3333`, a `chess.Move`, a `chess.svg.Arrow`, or two squares by number.
fn read_arrow(arrow: &Bound<'_, PyAny>) -> PyResult<Option<Arrow>> {
    if arrow.hasattr("tail")? {
        let square = |name| numbered(arrow.getattr(name)?.extract()?);
        let color: Option<String> = arrow.getattr("color")?.extract().ok();
        let paint = color.and_then(|color| color.parse::<Paint>().ok());
        return Ok(Some(Arrow { from: square("tail")?, to: square("head")?, paint }));
    }
    // As python-chess takes them: two squares.
    if let Ok((from, to)) = arrow.extract::<(u32, u32)>() {
        return Ok(Some(Arrow { from: numbered(from)?, to: numbered(to)?, paint: None }));
    }
    let text = arrow.str()?;
    let text = text.to_str()?;
    // A move may promote.
    let text = if arrow.hasattr("promotion")? { text.get(..4).unwrap_or(text) } else { text };
    Ok(text.parse().ok())
}

fn numbered(number: u32) -> PyResult<Square> {
    let square = Square::try_from(number);
    square.map_err(|_| ArgumentError::new_err(format!("{number} is no square; there are 0 to 63")))
}
