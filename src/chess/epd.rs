//! EPD: a position with annotations, on one line.
//!
//! The position stands there as four fields of a FEN. Operations follow, each an opcode and its
//! operands, closed by a semicolon: `hmvc 0; eco "B90"; pv e4 c5;`. Operands are kept to the
//! letter; [`Operation::operands`] and [`Operation::text`] take quotes and backslashes off.
//!
//! Forgiven, because files have it: the six fields of a FEN, with or without operations after them;
//! a missing last semicolon; semicolons with nothing between them.

use std::{borrow::Cow, fmt, num::NonZeroU32, str::FromStr};

use super::fen::{Fen, FenFault, split_fen};

use crate::quoted::Quoted;

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
pub fn split_epd(line: &str) -> (&str, &str) {
    let (fen, rest) = split_fen(line);
    let is_epd = rest.contains(';') && read_operations(line, fen.len(), |_, _| Ok(())).is_ok();
    if is_epd { (fen, rest) } else { (line, "") }
}

impl Epd {
    /// A position without operations. Its move counters are not written, unless the operations
    /// `hmvc` and `fmvn` are added.
    pub fn new(fen: Fen) -> Self {
        Self { fen, counters: Counters::Operations, operations: Vec::new() }
    }

    /// The position, with the move counters of the line: from fields five and six, from `hmvc` and
    /// `fmvn`, or else 0 and 1.
    pub fn fen(&self) -> &Fen {
        &self.fen
    }

    /// The operations, in the order of the line.
    pub fn operations(&self) -> &[Operation] {
        &self.operations
    }

    /// The first operation with that opcode.
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

    /// Takes the value of a move counter, if the operation is one.
    fn count(&mut self, operation: &Operation) -> Result<(), &'static str> {
        let number = || operation.operands.parse().ok();
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
                found: operation.operands.to_string(),
            })?;
            epd.operations.push(operation);
            Ok(())
        })?;
        Ok(epd)
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

/// An opcode and its operands.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Operation {
    opcode: Box<str>,
    operands: Box<str>,
}

impl Operation {
    /// An operation with these operands, written as they stand on the line.
    ///
    /// # Errors
    ///
    /// [`EpdFault::Opcode`] or [`EpdFault::Unwritable`], if the operation could not be read back.
    pub fn new(opcode: &str, operands: &str) -> Result<Self, EpdFault> {
        if opcode_length(opcode) != opcode.len() || opcode.is_empty() {
            return Err(EpdFault::Opcode { column: 1, found: opcode.to_owned() });
        }
        let made = Self { opcode: opcode.into(), operands: operands.into() };
        let is_one_line = !operands.contains(['\n', '\r']);
        if is_one_line
            && operands.trim_ascii() == operands
            && operands_length(operands) == Ok(operands.len())
        {
            return Ok(made);
        }
        Err(EpdFault::Unwritable { opcode: opcode.to_owned(), found: operands.to_owned() })
    }

    /// An operation whose only operand is this text, quoted. Line ends become spaces.
    ///
    /// # Errors
    ///
    /// [`EpdFault::Opcode`], if `opcode` is not one.
    pub fn quoted(opcode: &str, text: &str) -> Result<Self, EpdFault> {
        let mut operand = String::from("\"");
        for c in text.chars() {
            match c {
                '"' | '\\' => operand.extend(['\\', c]),
                '\n' | '\r' => operand.push(' '),
                _ => operand.push(c),
            }
        }
        operand.push('"');
        Self::new(opcode, &operand)
    }

    /// The opcode, such as `eco`.
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// The operands one by one. Quoted ones come without their quotes, and without the backslashes
    /// that escape quotes and backslashes.
    pub fn operands(&self) -> Vec<Cow<'_, str>> {
        let mut rest = &*self.operands;
        let mut found = Vec::new();
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return found;
            }
            let len = operand_length(rest).unwrap_or(rest.len());
            found.push(unquoted(&rest[..len]));
            rest = &rest[len..];
        }
    }

    /// The operands as one text: a single quoted operand without its quotes, all else as it stands.
    pub fn text(&self) -> Cow<'_, str> {
        match operand_length(&self.operands) {
            Ok(len) if len == self.operands.len() => unquoted(&self.operands),
            _ => (&*self.operands).into(),
        }
    }
}

fn unquoted(operand: &str) -> Cow<'_, str> {
    let Some(inner) = operand.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) else {
        return operand.into();
    };
    if !inner.contains('\\') {
        return inner.into();
    }
    let mut text = String::new();
    let mut chars = inner.chars();
    while let Some(c) = chars.next() {
        text.push(if c == '\\' { chars.next().unwrap_or(c) } else { c });
    }
    text.into()
}

/// The number of bytes at the beginning of the text that are an opcode.
fn opcode_length(text: &str) -> usize {
    let is_opcode = |(at, b): (usize, u8)| {
        b.is_ascii_alphabetic() || at > 0 && (b.is_ascii_digit() || b == b'_')
    };
    text.bytes().enumerate().take_while(|at| is_opcode(*at)).count()
}

/// The byte where a quote stands that is never closed.
type OpenQuote = usize;

/// The length in bytes of the operand that the text begins with: a quoted one, or one up to a blank
/// or semicolon.
fn operand_length(text: &str) -> Result<usize, OpenQuote> {
    let Some(inner) = text.strip_prefix('"') else {
        let end = text.find(|c: char| c.is_ascii_whitespace() || c == ';');
        return Ok(end.unwrap_or(text.len()));
    };
    let mut is_escaped = false;
    for (at, b) in inner.bytes().enumerate() {
        match b {
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            b'"' => return Ok(at + 2),
            _ => {}
        }
    }
    Err(0)
}

/// The length in bytes of all operands at the beginning of the text, up to a semicolon outside
/// quotes.
fn operands_length(text: &str) -> Result<usize, OpenQuote> {
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            ';' => return Ok(at),
            c if c.is_ascii_whitespace() => at += 1,
            _ => at += operand_length(&text[at..]).map_err(|quote| at + quote)?,
        }
    }
    Ok(at)
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.opcode)?;
        if !self.operands.is_empty() {
            write!(f, " {}", self.operands)?;
        }
        f.write_str(";")
    }
}

/// Reads all operations of the line from a byte on. `visit` gets each with the byte it begins at.
fn read_operations(
    line: &str,
    mut at: usize,
    mut visit: impl FnMut(Operation, usize) -> Result<(), EpdFault>,
) -> Result<(), EpdFault> {
    while let Some(skipped) = line[at..].find(|c: char| !(c.is_ascii_whitespace() || c == ';')) {
        at += skipped;
        let (operation, len) = read_operation(line, at)?;
        visit(operation, at)?;
        at += len;
    }
    Ok(())
}

/// Reads the operation that begins at a byte of the line; returns its length too.
fn read_operation(line: &str, at: usize) -> Result<(Operation, usize), EpdFault> {
    let rest = &line[at..];
    let opcode = &rest[..opcode_length(rest)];
    let after = &rest[opcode.len()..];
    let is_apart =
        after.is_empty() || after.starts_with(|c: char| c.is_ascii_whitespace() || c == ';');
    if opcode.is_empty() || !is_apart {
        let len = rest.find(|c: char| c.is_ascii_whitespace() || c == ';').unwrap_or(rest.len());
        return Err(EpdFault::Opcode { column: column(line, at), found: rest[..len].to_owned() });
    }
    let len = operands_length(after)
        .map_err(|quote| EpdFault::OpenQuote { column: column(line, at + opcode.len() + quote) })?;
    let operands = after[..len].trim_ascii();
    Ok((Operation { opcode: opcode.into(), operands: operands.into() }, opcode.len() + len))
}

pub(super) fn column(line: &str, at: usize) -> usize {
    line[..at].chars().count() + 1
}

/// What is wrong with a line of EPD. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdFault {
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenFault),
    /// An operation does not begin with an opcode.
    #[error(
        "column {column}: found {}, expected an opcode: a letter, then letters, digits, _", Quoted(.found)
    )]
    Opcode {
        /// Where the opcode was expected.
        column: usize,
        /// What was found there.
        found: String,
    },
    /// A quoted operand is never closed.
    #[error("column {column}: this quote is never closed")]
    OpenQuote {
        /// Where the quote is.
        column: usize,
    },
    /// A move counter is not a number.
    #[error("column {column}: found {opcode} {}, expected a number below 2^32", Quoted(.found))]
    Counter {
        /// Where the operation begins.
        column: usize,
        /// `hmvc` or `fmvn`.
        opcode: &'static str,
        /// Its operands.
        found: String,
    },
    /// The operands would end the operation or the line. This comes from making an operation, never
    /// from reading one.
    #[error("opcode {opcode}: operands {} cannot be written on a line of EPD", Quoted(.found))]
    Unwritable {
        /// The opcode.
        opcode: String,
        /// Its operands.
        found: String,
    },
}

#[cfg(test)]
mod tests;
