//! A FEN as a table: its fields, and its board square by square. A door to `serde`.

use std::io::{self, Read};
use std::{cell::Cell, rc::Rc};

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use shakmaty::Square;

use super::{Fen, fault::FenFault};

/// The fields of a FEN and its 64 squares, for programs.
///
/// ```
/// use eco::chess::{Fen, fen::FenTable};
///
/// let fen: Fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1".parse()?;
/// let json = FenTable::from_fen(&fen).to_json();
/// assert!(json.starts_with(r#"{"placement":"4k3/8/8/8/8/8/8/4K2R","side":"w","castling":"K","#));
/// let tables = FenTable::read_json(json.as_bytes()).collect::<Result<Vec<_>, _>>();
/// assert_eq!(tables.unwrap()[0].to_fen().unwrap(), fen);
/// # Ok::<(), eco::chess::FenFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FenTable {
    /// The placement, as in the FEN. Optional if there is a board.
    #[serde(default)]
    pub placement: Option<String>,
    /// `w` or `b`.
    pub side: String,
    /// `KQkq`, or the letters of it that are left, or `-`.
    pub castling: String,
    /// A square, or `-`.
    pub en_passant: String,
    /// The half-moves since the last capture or pawn move.
    #[serde(default)]
    pub halfmoves: u32,
    /// The number of the next move.
    #[serde(default = "one")]
    pub fullmoves: u32,
    /// The half-moves before this position. It follows from side and move number, so it may be left
    /// out.
    #[serde(default)]
    pub ply: Option<u64>,
    /// Eight rows of eight squares, the eighth rank first, each from the a-file: the letter of a
    /// piece, or a blank. Optional if there is a placement.
    #[serde(default)]
    pub board: Option<[[char; 8]; 8]>,
}

fn one() -> u32 {
    1
}

/// Why a table cannot be read, or is not that of a FEN.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFault {
    /// The text is not the JSON of a table.
    #[error("not a table of a FEN: {0}")]
    Json(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// It has neither placement nor board.
    #[error("neither placement nor board")]
    NoSquares,
    /// Its ply is not that of its side and move number.
    #[error("ply {0} contradicts side and move number, which make it {1}")]
    Ply(u64, u64),
    /// Its placement and its board differ.
    #[error("placement and board differ; leave one of them out")]
    Differ,
    /// The FEN that its fields make cannot be read.
    #[error(transparent)]
    Fen(#[from] FenFault),
}

impl FenTable {
    /// The table of a FEN.
    pub fn from_fen(fen: &Fen) -> Self {
        let mut board = [[' '; 8]; 8];
        for square in Square::ALL {
            if let Some(piece) = fen.piece_at(square) {
                board[7 - square.rank() as usize][square.file() as usize] = piece.char();
            }
        }
        Self {
            placement: Some(fen.placement()),
            side: fen.turn().char().to_string(),
            castling: fen.castling(),
            en_passant: fen.en_passant().map_or_else(|| "-".to_owned(), |s| s.to_string()),
            halfmoves: fen.halfmoves(),
            fullmoves: fen.fullmoves().get(),
            ply: Some(fen.ply()),
            board: Some(board),
        }
    }

    /// The FEN with these fields.
    ///
    /// # Errors
    ///
    /// [`TableFault`], but never [`TableFault::Json`].
    pub fn to_fen(&self) -> Result<Fen, TableFault> {
        let drawn = self.board.as_ref().map(placement_of);
        let placement = match (&self.placement, &drawn) {
            (None, None) => return Err(TableFault::NoSquares),
            (Some(given), None) => given,
            (_, Some(drawn)) => drawn,
        };
        let Self { side, castling, en_passant, halfmoves, fullmoves, .. } = self;
        let fields = format!("{side} {castling} {en_passant} {halfmoves} {fullmoves}");
        let fen: Fen = format!("{placement} {fields}").parse()?;
        if let Some(ply) = self.ply.filter(|ply| *ply != fen.ply()) {
            return Err(TableFault::Ply(ply, fen.ply()));
        }
        match &self.placement {
            Some(given) if format!("{given} {fields}").parse() != Ok(fen.clone()) => {
                Err(TableFault::Differ)
            }
            _ => Ok(fen),
        }
    }

    /// The table as a JSON object on one line.
    pub fn to_json(&self) -> String {
        json(self)
    }

    /// The table as a JSON object over several lines, a row of the board on each.
    pub fn to_pretty_json(&self) -> String {
        let Self { placement, side, castling, en_passant, halfmoves, fullmoves, ply, board } = self;
        let rows: Vec<String> = board.iter().flatten().map(json).collect();
        let fields = [
            ("placement", json(placement)),
            ("side", json(side)),
            ("castling", json(castling)),
            ("en_passant", json(en_passant)),
            ("halfmoves", json(halfmoves)),
            ("fullmoves", json(fullmoves)),
            ("ply", json(ply)),
            ("board", format!("[\n    {}\n  ]", rows.join(",\n    "))),
        ];
        let lines = fields.map(|(name, value)| format!("  \"{name}\": {value}"));
        format!("{{\n{}\n}}", lines.join(",\n"))
    }

    /// Reads one JSON object after another. An object that is not a table is a fault, after which
    /// the next one follows; text that is not JSON, or more than 1 MiB, is the last fault.
    pub fn read_json(reader: impl std::io::Read) -> impl Iterator<Item = Result<Self, TableFault>> {
        let (reader, left) = Limited::new(reader);
        let mut objects =
            serde_json::Deserializer::from_reader(reader).into_iter::<Box<RawValue>>();
        std::iter::from_fn(move || {
            left.set(MAX_BYTES);
            let table = objects.next()?.and_then(|object| serde_json::from_str(object.get()));
            Some(table.map_err(|error| TableFault::Json(error.into())))
        })
    }
}

fn json(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("numbers and text are always JSON")
}

/// The placement field of a board; runs of blanks become numbers.
fn placement_of(board: &[[char; 8]; 8]) -> String {
    let mut text = String::new();
    for (index, row) in board.iter().enumerate() {
        if index > 0 {
            text.push('/');
        }
        for run in row.chunk_by(|a, b| *a == ' ' && *b == ' ') {
            match run[0] {
                ' ' => text += &run.len().to_string(),
                piece => text.push(piece),
            }
        }
    }
    text
}

/// The most bytes of an item.
const MAX_BYTES: usize = 1 << 20;

/// A reader that fails within an item that is too long.
struct Limited<R> {
    reader: R,
    /// The bytes that are left for the item.
    left: Rc<Cell<usize>>,
}

impl<R> Limited<R> {
    /// A reader of items, and the bytes that are left for one: [`MAX_BYTES`] where it begins.
    fn new(reader: R) -> (Self, Rc<Cell<usize>>) {
        let left = Rc::new(Cell::new(MAX_BYTES));
        (Self { reader, left: Rc::clone(&left) }, left)
    }
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let left = self.left.get();
        if left == 0 {
            let what = format!("longer than {} MiB", MAX_BYTES >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, what));
        }
        let length = room.len().min(left);
        let read = self.reader.read(&mut room[..length])?;
        self.left.set(left - read);
        Ok(read)
    }
}
