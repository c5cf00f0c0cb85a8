//! EPD: a position with annotations, on one line.
//!
//! The position stands there as four fields of a FEN. Operations follow, each an opcode and its
//! operands, closed by a semicolon: `hmvc 0; eco "B90"; pv e4 c5;`. Operands are kept to the
//! letter; [`Operation::operands`] and [`Operation::text`] take quotes and backslashes off.
//!
//! Forgiven, because files have it: the six fields of a FEN, with or without operations after them;
//! a missing last semicolon; semicolons with nothing between them.

mod fault;
mod operation;
#[cfg(test)]
mod tests;

use std::{fmt, num::NonZeroU32, str::FromStr};

use self::operation::{column, read_operations};
pub use self::{fault::EpdFault, operation::Operation};
use super::fen::{Fen, split_fen};

/// A position with operations.
///
/// It reads a line and prints it again: fields and operations in their standard spelling, operands
/// to the letter.
///
/// ```
/// use eco::chess::epd::{Epd, Operation};
///
/// let line = r#"4k3/8/8/8/8/8/8/4K2R w K - hmvc 3; v0 "King and rook"; pv O-O Ke7;"#;
/// let mut epd: Epd = line.parse()?;
/// assert_eq!(epd.to_string(), line);
/// assert_eq!(epd.fen().halfmoves(), 3);
/// assert_eq!(epd.operation("v0").unwrap().text(), "King and rook");
/// assert_eq!(epd.operation("pv").unwrap().operands(), ["O-O", "Ke7"]);
///
/// epd.set(Operation::quoted("id", r#"the "easy" one"#)?);
/// assert!(epd.to_string().ends_with(r#" id "the \"easy\" one";"#));
/// # Ok::<(), eco::chess::epd::EpdFault>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Epd {
    fen: Fen,
    counters: Counters,
    operations: Vec<Operation>,
}

/// The opcodes that name an opening: its code, and the parts of its name.
const NAMES: [&str; 4] = ["eco", "v0", "v1", "v2"];

/// Where the line has its move counters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Counters {
    /// Fields five and six, as in a FEN.
    Fields,
    /// The operations `hmvc` and `fmvn`, or nowhere.
    Operations,
}

/// Splits a line into the FEN it begins with and its operations. If what follows the FEN cannot be
/// operations, closed by semicolons, the whole line is taken as a FEN.
///
/// ```
/// use eco::chess::epd::split_epd;
///
/// assert_eq!(split_epd("8/8 w - - id \"x\";"), ("8/8 w - -", " id \"x\";"));
/// assert_eq!(split_epd("8/8 w - - 0 1;"), ("8/8 w - - 0 1;", ""));
/// ```
#[must_use]
pub fn split_epd(line: &str) -> (&str, &str) {
    let (fen, rest) = split_fen(line);
    let is_epd = rest.contains(';') && read_operations(line, fen.len(), |_, _| Ok(())).is_ok();
    if is_epd { (fen, rest) } else { (line, "") }
}

impl Epd {
    /// A position without operations. Its move counters are not written, unless the operations
    /// `hmvc` and `fmvn` are added.
    #[must_use]
    pub fn new(fen: Fen) -> Self {
        Self { fen, counters: Counters::Operations, operations: Vec::new() }
    }

    /// The position, with the move counters of the line: from fields five and six, from `hmvc` and
    /// `fmvn`, or else 0 and 1.
    #[must_use]
    pub fn fen(&self) -> &Fen {
        &self.fen
    }

    /// The operations, in the order of the line.
    #[must_use]
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with that opcode.
    #[must_use]
    pub fn operation(&self, opcode: &str) -> Option<&Operation> {
        self.operations.iter().find(|operation| operation.opcode() == opcode)
    }

    /// Replaces the name of the opening, all parts of it, by these operations. They stand where the
    /// old name stood, or after all other operations.
    pub fn name(&mut self, name: impl IntoIterator<Item = Operation>) {
        let is_name = |operation: &Operation| NAMES.contains(&operation.opcode());
        let at = self.operations.iter().position(is_name).unwrap_or(self.operations.len());
        self.operations.retain(|operation| !is_name(operation));
        self.operations.splice(at..at, name);
    }

    /// Replaces the first operation with the same opcode, or adds the operation after all others.
    pub fn set(&mut self, operation: Operation) {
        match self.operations.iter_mut().find(|old| old.opcode() == operation.opcode()) {
            Some(old) => *old = operation,
            None => self.operations.push(operation),
        }
    }
}

impl FromStr for Epd {
    type Err = EpdFault;

    fn from_str(line: &str) -> Result<Self, EpdFault> {
        let (text, _) = split_fen(line);
        let has_counters = text.split_whitespace().count() > 4;
        let counters = if has_counters { Counters::Fields } else { Counters::Operations };
        let mut epd = Self { fen: text.parse()?, counters, operations: Vec::new() };
        read_operations(line, text.len(), |operation, at| {
            epd.count(&operation).map_err(|opcode| EpdFault::Counter {
                column: column(line, at),
                opcode,
                found: operation.raw().to_owned(),
            })?;
            epd.operations.push(operation);
            Ok(())
        })?;
        Ok(epd)
    }
}

impl Epd {
    /// Takes the value of a move counter, if the operation is one.
    fn count(&mut self, operation: &Operation) -> Result<(), &'static str> {
        let number = || operation.raw().parse().ok();
        match operation.opcode() {
            "hmvc" => {
                let halfmoves: u32 = number().ok_or("hmvc")?;
                self.fen = self.fen.with_counters(halfmoves, self.fen.fullmoves());
            }
            "fmvn" => {
                let fullmoves = NonZeroU32::new(number().ok_or("fmvn")?).unwrap_or(NonZeroU32::MIN);
                self.fen = self.fen.with_counters(self.fen.halfmoves(), fullmoves);
            }
            _ => {}
        }
        Ok(())
    }
}

impl fmt::Display for Epd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.counters {
            Counters::Fields => write!(f, "{}", self.fen)?,
            Counters::Operations => write!(f, "{}", self.fen.four_fields())?,
        }
        self.operations.iter().try_for_each(|operation| write!(f, " {operation}"))
    }
}
