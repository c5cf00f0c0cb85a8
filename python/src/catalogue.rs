//! The catalogue, openings, and verdicts.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::Arc,
};

use eco::quoted::Quoted;
use eco::{
    catalogue::{Catalogue as Openings, Line, Query},
    chess::Language,
    classify::{Classifier, Question, QuestionFault, find_openings, lookup},
    master::{LineFault, LineReason, Master, MasterFile, MasterInfo, give_other_names},
    opening::EcoCode,
    output::lookup_json,
    pgn::Game,
    replace::is_database,
    store::Database,
};
use pyo3::{exceptions::PyTypeError, prelude::*, types::PyString};

use crate::{
    arguments::limit as read_limit,
    errors::{
        ArgumentError, CatalogueError, line_move, os_error, question_error, store_error, warn,
    },
    paths,
    position::{
        from_json, game_text, read_language, read_position, standard_fen_text, warn_of_slips,
    },
};

/// Openings by position: what names games and positions.
///
/// >>> import eco_openings as eco
/// >>> catalogue = eco.Catalogue.builtin()
/// >>> catalogue.classify_moves("1. g3 f5 2. d4").opening
/// 'Dutch Defense: Fianchetto Attack'
#[pyclass(frozen, module = "eco_openings")]
#[derive(Clone)]
pub(crate) struct Catalogue(Held);

#[derive(Clone)]
enum Held {
    /// It is read when it is first needed.
    Builtin,
    Own(Arc<Openings>),
}

impl Catalogue {
    pub(crate) const BUILTIN: Self = Self(Held::Builtin);

    pub(crate) fn openings(&self) -> &Openings {
        match &self.0 {
            Held::Builtin => Openings::builtin(),
            Held::Own(openings) => openings,
        }
    }

    /// The catalogue of a position database, or the built-in one if it has none.
    pub(crate) fn of_database(path: &Path) -> PyResult<Self> {
        let name = path.display().to_string();
        let failed = |error| store_error(&error, &name);
        let database = Database::open(path).map_err(failed)?;
        if database.names(eco::store::Kind::Master).map_err(failed)?.is_empty() {
            return Ok(Self::BUILTIN);
        }
        Ok(Self(Held::Own(Arc::new(database.catalogue().map_err(failed)?))))
    }

    /// What `catalogue=` stands for: nothing, a catalogue, a position database, or a file of
    /// openings.
    pub(crate) fn of_argument(catalogue: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let Some(given) = catalogue else { return Ok(Self::BUILTIN) };
        if let Ok(catalogue) = given.cast::<Self>() {
            return Ok(catalogue.get().clone());
        }
        let path = paths::local(given)?;
        given.py().detach(|| match is_database(&path) {
            true => Self::of_database(&path),
            false => Self::of_files(&[path], false),
        })
    }

    fn of_files(paths: &[PathBuf], lenient: bool) -> PyResult<Self> {
        let (openings, faults) = read_masters(paths)?;
        if !(lenient || faults.is_empty()) {
            return Err(bad_lines(&faults));
        }
        Ok(Self(Held::Own(Arc::new(openings))))
    }
}

#[pymethods]
impl Catalogue {
    /// The catalogue that is built in: lichess's.
    ///
    /// >>> import eco_openings as eco
    /// >>> len(eco.Catalogue.builtin()) > 3000
    /// True
    #[staticmethod]
    fn builtin() -> Self {
        Self::BUILTIN
    }

    /// Reads files of openings, of any format that `eco ingest` reads. Each is a master of its
    /// own; earlier ones decide before later ones.
    ///
    /// Raises CatalogueError if a file has none of these formats or a line is bad; with
    /// lenient=True bad lines are left out.
    #[staticmethod]
    #[pyo3(signature = (paths, *, lenient = false))]
    fn read(py: Python<'_>, paths: &Bound<'_, PyAny>, lenient: bool) -> PyResult<Self> {
        let paths = paths::all_local(paths)?;
        py.detach(|| Self::of_files(&paths, lenient))
    }

    /// The catalogue of a position database; the built-in one if the database has none.
    ///
    /// Raises DatabaseError if it cannot be read.
    #[staticmethod]
    #[pyo3(signature = (db))]
    fn open(py: Python<'_>, db: &Bound<'_, PyAny>) -> PyResult<Self> {
        let db = paths::local(db)?;
        py.detach(|| Self::of_database(&db))
    }

    /// The same catalogue with names in another language, such as "de": the same positions, moves
    /// and codes. `eco lookup --lang x` lists the languages; names stay English in those that have
    /// only piece letters. Wherever a catalogue is an argument, this one can be.
    ///
    /// Raises ValueError if there is no such language.
    ///
    /// >>> import eco_openings as eco
    /// >>> german = eco.Catalogue.builtin().in_language("de")
    /// >>> german.classify_moves("1. e4 c5").opening
    /// 'Sizilianische Verteidigung'
    #[pyo3(signature = (lang))]
    fn in_language(&self, py: Python<'_>, lang: &str) -> PyResult<Self> {
        let language = read_language(lang)?;
        if language == Language::English {
            return Ok(self.clone());
        }
        Ok(py.detach(|| Self(Held::Own(Arc::new(self.openings().in_language(language))))))
    }

    /// The opening of a position, by itself; None if it has no name.
    ///
    /// The position is a FEN, a chess.Board, or a chess.pgn.Game, which stands for its end. A
    /// board of Chess960 or of another variant raises FenError.
    ///
    /// >>> import eco_openings as eco
    /// >>> fen = "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
    /// >>> eco.Catalogue.builtin().name_of(fen)
    /// Opening('B20', 'Sicilian Defense')
    fn name_of(&self, position: &Bound<'_, PyAny>) -> PyResult<Option<Opening>> {
        let position = read_position(position)?;
        let openings = self.openings();
        let named = Classifier::new(openings).classify_position(&position);
        Ok(named.map(|named| Opening::new(openings, named.line())))
    }

    /// The opening of a game: the last position on the way that has a name, in any move order.
    ///
    /// The moves are movetext (str or bytes), a list of SAN, UCI or chess.Move, a chess.Board with
    /// its moves, or a chess.pgn.Game. A move that cannot be played ends the game with an error in
    /// the verdict.
    ///
    /// >>> import eco_openings as eco
    /// >>> verdict = eco.Catalogue.builtin().classify_moves(["g2g3", "f7f5", "d2d4"])
    /// >>> verdict.eco, verdict.ply, verdict.transposed
    /// ('A81', 3, True)
    fn classify_moves(&self, moves: &Bound<'_, PyAny>) -> PyResult<Verdict> {
        let text = game_text(moves)?;
        let classifier = Classifier::new(self.openings()).exhaustive();
        let verdict = classifier.classify(&Game::from_bytes(text.as_bytes())).verdict;
        let error = verdict.error.map(|error| error.to_string());
        let Some(named) = verdict.named else {
            return Ok(Verdict { error, ..Verdict::default() });
        };
        let opening = named.opening();
        Ok(Verdict {
            eco: opening.eco().map(EcoCode::to_string),
            opening: Some(opening.name().to_owned()),
            family: Some(opening.family().to_owned()),
            variation: Some(opening.variation().to_owned()),
            subvariation: Some(opening.subvariation().to_owned()),
            ply: Some(named.ply()),
            transposed: Some(named.is_transposed()),
            key: Some(named.key().to_string()),
            error,
        })
    }

    /// The openings that match codes, words of their names, other names, names in other languages,
    /// or moves; the best first. Words with a slip or two stand for the nearest, of which a
    /// UserWarning says what they were taken for.
    ///
    /// >>> import eco_openings as eco
    /// >>> eco.Catalogue.builtin().search("gruenfeld", limit=1)
    /// [Opening('D80', 'Grünfeld Defense')]
    #[pyo3(signature = (text, *, limit = None))]
    fn search(&self, py: Python<'_>, text: &str, limit: Option<isize>) -> PyResult<Vec<Opening>> {
        let limit = read_limit(limit)?;
        let query = Query::new(text);
        if query.is_empty() {
            let message = format!("{} has neither a code nor a word to search for", Quoted(text));
            return Err(ArgumentError::new_err(message));
        }
        let openings = self.openings();
        let (found, query) = find_openings(openings, &query);
        query.correction().map_or(Ok(()), |correction| warn(py, &correction))?;
        let found = found.into_iter().take(limit);
        Ok(found.map(|line| Opening::new(openings, line)).collect())
    }

    /// What is known of a position or of the line to it, as a dict: its name, the named positions
    /// on the line, other masters' names, and the moves that lead to named positions. The keys are
    /// those of `eco lookup --format jsonl`. A UserWarning says what a name with slips was taken
    /// for.
    ///
    /// >>> import eco_openings as eco
    /// >>> answer = eco.Catalogue.builtin().lookup("1. e4 c5")
    /// >>> answer["opening"], len(answer["next"]) > 10
    /// ('Sicilian Defense', True)
    fn lookup<'py>(&self, position: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        // A board is asked about as it stands; of a game its moves are known.
        let text = match position.is_instance_of::<PyString>() || !position.hasattr("fen")? {
            true if position.hasattr("mainline_moves")? => standard_fen_text(position)?,
            true => game_text(position)?,
            false => standard_fen_text(position)?,
        };
        let openings = self.openings();
        let question = Question::read(&text, &[], || Ok::<_, QuestionFault>(openings))
            .map_err(|fault| question_error(&fault))?;
        warn_of_slips(&question)?;
        let answer = lookup_json(openings, &text, &question, &lookup(openings, &question));
        from_json(position.py(), &answer)
    }

    /// For pickle. A catalogue of one's own is not copied: other processes read its files.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, ())> {
        match this.get().0 {
            Held::Builtin => Ok((this.get_type().getattr("builtin")?, ())),
            Held::Own(_) => Err(PyTypeError::new_err(
                "only the built-in catalogue can be pickled; read or open others where they are \
                 needed",
            )),
        }
    }

    /// The number of lines.
    fn __len__(&self) -> usize {
        self.openings().lines().len()
    }

    fn __repr__(&self) -> String {
        let openings = self.openings();
        let masters: Vec<String> = openings.masters().iter().map(ToString::to_string).collect();
        format!("Catalogue({} lines of {})", openings.lines().len(), masters.join(", "))
    }
}

fn read_masters(paths: &[PathBuf]) -> PyResult<(Openings, Vec<LineFault>)> {
    let (mut masters, mut faults) = (Vec::<Master>::new(), Vec::new());
    let mut other_names = Vec::new();
    for path in paths {
        let name = path.display().to_string();
        let bytes = fs::read(path).map_err(|e| os_error(e.raw_os_error(), &e, name.clone()))?;
        let info = MasterInfo {
            name: path.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            ..MasterInfo::default()
        };
        let file = MasterFile { name: &name, bytes: &bytes };
        let reading = Master::read(info, &[file], None)
            .map_err(|error| CatalogueError::new_err((error.to_string(), name.clone())))?;
        masters.extend(reading.masters);
        other_names.extend(reading.other_names);
        faults.extend(reading.faults);
    }
    if masters.is_empty() && !other_names.is_empty() {
        masters.push(Master::builtin());
    }
    faults.extend(give_other_names(&mut masters, &other_names));
    let (openings, unplayable) = Openings::from_masters(masters);
    faults.extend(unplayable);
    // In the order of the files and their lines.
    let place = |fault: &LineFault| {
        let file = &*fault.location.file;
        paths.iter().position(|path| path.display().to_string() == file)
    };
    faults.sort_by_key(|fault| (place(fault), fault.location.line));
    Ok((openings, faults))
}

/// The first bad line, and the number of the others.
fn bad_lines(faults: &[LineFault]) -> PyErr {
    let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
    let file = faults.first().map(|fault| fault.location.file.to_string());
    let first = texts.first().cloned().unwrap_or_default();
    let message = match texts.len() {
        1 => first,
        lines => format!("{first} (and {} more bad lines)", lines - 1),
    };
    let line = faults.first().map(|fault| fault.location.line);
    let at_move = faults.first().and_then(|fault| match &fault.reason {
        LineReason::Moves(error) => line_move(error),
        _ => None,
    });
    CatalogueError::new_err((message, file, texts, line, at_move))
}

/// An opening of a catalogue.
///
/// >>> import eco_openings as eco
/// >>> najdorf = eco.Catalogue.builtin().search("najdorf")[0]
/// >>> najdorf.eco, najdorf.opening, najdorf.moves
/// ('B90', 'Sicilian Defense: Najdorf Variation', '1. e4 c5 2. Nf3 d6 3. d4 cxd4 4. Nxd4 Nf6 5. Nc3 a6')
#[pyclass(frozen, get_all, eq, hash, module = "eco_openings")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Opening {
    /// The ECO code; None if the master gives none.
    eco: Option<String>,
    /// The full name.
    opening: String,
    /// The full name in English, whatever language the others are in.
    opening_en: String,
    /// The part of the name before the colon.
    family: String,
    /// The part between the colon and the comma; empty if there is none.
    variation: String,
    /// The part after the comma.
    subvariation: String,
    /// The moves of the line; None if the catalogue has only a position.
    moves: Option<String>,
    /// The position.
    key: String,
    /// The master that gives the name.
    master: String,
}

impl Opening {
    pub(crate) fn new(openings: &Openings, line: &Line) -> Self {
        let opening = &line.opening;
        Self {
            eco: opening.eco().map(EcoCode::to_string),
            opening: opening.name().to_owned(),
            opening_en: opening.english_name().to_owned(),
            family: opening.family().to_owned(),
            variation: opening.variation().to_owned(),
            subvariation: opening.subvariation().to_owned(),
            moves: openings.movetext(line),
            key: openings.positions()[line.position].key.to_string(),
            master: openings.masters()[line.master].name.clone(),
        }
    }
}

/// The attributes of an opening in their order, as they are pickled.
type OpeningParts =
    (Option<String>, String, String, String, String, String, Option<String>, String, String);

#[pymethods]
impl Opening {
    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let quoted = |text: &str| PyString::new(py, text).repr().map(|text| text.to_string());
        let eco = self.eco.as_deref().map_or(Ok("None".to_owned()), quoted)?;
        Ok(format!("Opening({eco}, {})", quoted(&self.opening)?))
    }

    fn __str__(&self) -> String {
        let eco = self.eco.as_ref().map_or_else(String::new, |eco| format!("{eco} "));
        format!("{eco}{}", self.opening)
    }

    /// For pickle.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (OpeningParts,))> {
        let Self { eco, opening, opening_en, family, variation, subvariation, moves, key, master } =
            this.get().clone();
        let parts = (eco, opening, opening_en, family, variation, subvariation, moves, key, master);
        Ok((this.get_type().getattr("_restore")?, (parts,)))
    }

    #[staticmethod]
    fn _restore(parts: OpeningParts) -> Self {
        let (eco, opening, opening_en, family, variation, subvariation, moves, key, master) = parts;
        Self { eco, opening, opening_en, family, variation, subvariation, moves, key, master }
    }
}

/// What the moves of a game are called. All but the error is None if they have no name, and the
/// code is None if the name has none.
#[pyclass(frozen, get_all, eq, hash, module = "eco_openings")]
#[derive(Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Verdict {
    /// The ECO code.
    eco: Option<String>,
    /// The full name.
    opening: Option<String>,
    /// The part of the name before the colon.
    family: Option<String>,
    /// The part between the colon and the comma; empty if there is none.
    variation: Option<String>,
    /// The part after the comma.
    subvariation: Option<String>,
    /// The ply after which the deciding position was reached.
    ply: Option<usize>,
    /// Whether no line of the catalogue reaches it by the same move order.
    transposed: Option<bool>,
    /// The deciding position.
    key: Option<String>,
    /// What is wrong with the moves; None if nothing is.
    error: Option<String>,
}

type MaybeText = Option<String>;

/// The attributes of a verdict, as they are pickled.
type VerdictParts = (
    (MaybeText, MaybeText, MaybeText, MaybeText, MaybeText),
    Option<usize>,
    Option<bool>,
    MaybeText,
    MaybeText,
);

#[pymethods]
impl Verdict {
    fn __repr__<'py>(&self, py: Python<'py>) -> PyResult<String> {
        let name = (&self.eco, &self.opening, self.ply, self.transposed, &self.error);
        Ok(format!("Verdict{}", name.into_pyobject(py)?.repr()?))
    }

    /// For pickle.
    fn __reduce__<'py>(this: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (VerdictParts,))> {
        let Self { eco, opening, family, variation, subvariation, ply, transposed, key, error } =
            this.get().clone();
        let names = (eco, opening, family, variation, subvariation);
        let parts = (names, ply, transposed, key, error);
        Ok((this.get_type().getattr("_restore")?, (parts,)))
    }

    #[staticmethod]
    fn _restore(parts: VerdictParts) -> Self {
        let (names, ply, transposed, key, error) = parts;
        let (eco, opening, family, variation, subvariation) = names;
        Self { eco, opening, family, variation, subvariation, ply, transposed, key, error }
    }
}
