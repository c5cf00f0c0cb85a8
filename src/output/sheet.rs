//! Sheets: rows of which a terminal shows some columns, and programs get all.

use super::{Column, Rows, Value, Width};

/// A column of a sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetColumn {
    column: Column,
    is_for_people: bool,
}

impl SheetColumn {
    /// A column for everybody.
    pub(super) const fn shown(name: &'static str, width: Width) -> Self {
        Self { column: Column { name, width, absent: "" }, is_for_people: true }
    }

    /// A column for programs.
    pub(super) const fn hidden(name: &'static str) -> Self {
        let column = Column { name, width: Width::Share(1), absent: "" };
        Self { column, is_for_people: false }
    }
}

/// For whom a sheet is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reader {
    /// Somebody at a terminal: what fits on it.
    Person,
    /// Everything.
    Program,
}

/// The columns of a sheet that its reader gets.
#[derive(Debug, Clone)]
pub struct Sheet {
    columns: Vec<Column>,
    /// Which of all columns they are.
    places: Vec<usize>,
}

impl Sheet {
    /// A sheet of these columns for a reader.
    #[must_use]
    pub fn new(all: &[SheetColumn], reader: Reader) -> Self {
        let is_shown = |column: &SheetColumn| reader == Reader::Program || column.is_for_people;
        let shown = all.iter().enumerate().filter(|(_, column)| is_shown(column));
        let (places, columns) = shown.map(|(place, column)| (place, column.column)).unzip();
        Self { columns, places }
    }

    /// The columns.
    #[must_use]
    pub fn columns(&self) -> &[Column] {
        &self.columns
    }

    /// Writes what stands above the rows.
    pub fn write_header(&self, rows: &dyn Rows, out: &mut Vec<u8>) {
        rows.write_header(&self.columns, out);
    }

    /// Writes a row, given the values of all columns.
    pub fn write(&self, rows: &dyn Rows, all: &[Value<'_>], out: &mut Vec<u8>) {
        let values: Vec<Value<'_>> = self.places.iter().map(|place| all[*place].clone()).collect();
        rows.write_row(&self.columns, &values, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::output::{JsonRows, TsvRows};

    #[test]
    fn people_get_some_columns_and_programs_all() {
        let all = [
            SheetColumn::shown("line", Width::Share(1)),
            SheetColumn::hidden("key"),
            SheetColumn::shown("cost", Width::Number(6)),
        ];
        let cost = Value::Decimal { value: -0.004, places: 2 };
        let values = [Value::Text("1. e4".into()), Value::Text("k".into()), cost];
        let written = |reader, rows: &dyn Rows| {
            let (sheet, mut out) = (Sheet::new(&all, reader), Vec::new());
            sheet.write_header(rows, &mut out);
            sheet.write(rows, &values, &mut out);
            String::from_utf8(out).unwrap()
        };
        assert_eq!(written(Reader::Person, &TsvRows), "line\tcost\n1. e4\t0.00\n");
        assert_eq!(
            written(Reader::Program, &JsonRows),
            "{\"line\":\"1. e4\",\"key\":\"k\",\"cost\":0.00}\n"
        );
    }
}
