//! The operations of EPD: an opcode and its operands, closed by a semicolon.

use std::{borrow::Cow, fmt};

use super::fault::EpdFault;

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
    #[must_use]
    pub fn opcode(&self) -> &str {
        &self.opcode
    }

    /// All operands, to the letter.
    #[must_use]
    pub(crate) fn raw(&self) -> &str {
        &self.operands
    }

    /// The operands one by one. Quoted ones come without their quotes, and without the backslashes
    /// that escape quotes and backslashes.
    #[must_use]
    pub fn operands(&self) -> Vec<Cow<'_, str>> {
        let mut rest = self.raw();
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
    #[must_use]
    pub fn text(&self) -> Cow<'_, str> {
        match operand_length(self.raw()) {
            Ok(len) if len == self.raw().len() => unquoted(self.raw()),
            _ => self.raw().into(),
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
pub(super) fn read_operations(
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
