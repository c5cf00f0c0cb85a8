//! What is wrong with a line of EPD.

use crate::chess::fen::FenFault;

/// What is wrong with a line of EPD. Columns count characters from 1.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EpdFault {
    /// The position cannot be read.
    #[error(transparent)]
    Fen(#[from] FenFault),
    /// An operation does not begin with an opcode.
    #[error(
        "column {column}: found {found:?}, expected an opcode: a letter, then letters, digits, _"
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
    #[error("column {column}: found {opcode} {found:?}, expected a number below 2^32")]
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
    #[error("opcode {opcode}: operands {found:?} cannot be written on a line of EPD")]
    Unwritable {
        /// The opcode.
        opcode: String,
        /// Its operands.
        found: String,
    },
}
