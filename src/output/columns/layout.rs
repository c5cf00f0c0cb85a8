//! Rows of one kind as record batches.

use std::{collections::HashMap, sync::Arc};

use arrow_array::RecordBatch;
use arrow_schema::{DataType, Field, Schema, SchemaRef, TimeUnit};

use super::builder::{ColumnBuilder, UTC};
use crate::output::column::{Audience, Column};
use crate::output::{ColumnSet, ColumnType, ColumnValue};

/// Columns as Arrow arrays: writes rows into batches, so that several threads can write them at the
/// same time.
///
/// ```
/// use eco::output::{ColumnSet, Value, Width, columns::BatchLayout};
///
/// type Columns = ColumnSet<for<'r> fn(&'r (&'static str, u64)) -> Value<'r>>;
///
/// let columns = Columns::new()
///     .with("name", Width::Share(1), |row| Value::text(row.0))
///     .with("games", Width::Number, |row| row.1.into());
/// let layout = BatchLayout::new(columns);
/// let mut rows = layout.builder(0);
/// layout.write(&("Benoni", 3), &mut rows);
/// let batch = rows.finish();
/// assert_eq!(batch.num_rows(), 1);
/// assert_eq!(batch.schema().field(1).name(), "games");
/// ```
#[derive(Debug, Clone)]
pub struct BatchLayout<F> {
    columns: ColumnSet<F>,
    schema: SchemaRef,
}

impl<F> BatchLayout<F> {
    /// The columns that programs get.
    pub fn new(columns: ColumnSet<F>) -> Self {
        let columns = columns.select(Audience::Machine);
        let schema =
            Arc::new(Schema::new(columns.columns().iter().flat_map(fields_of).collect::<Vec<_>>()));
        Self { columns, schema }
    }

    /// This layout, for files with this [metadata](super::origin).
    #[must_use]
    pub fn with_metadata(self, metadata: HashMap<String, String>) -> Self {
        let schema = self.schema.as_ref().clone().with_metadata(metadata);
        Self { schema: Arc::new(schema), ..self }
    }

    /// The schema of the batches.
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// A batch without rows, with room for about this number of them; more may be added.
    pub fn builder(&self, rows: usize) -> BatchBuilder {
        let columns = self.columns.columns();
        let columns = columns.iter().map(|column| ColumnBuilder::new(column.kind, rows));
        BatchBuilder { columns: columns.collect(), schema: self.schema() }
    }

    /// Adds a row to a batch of this layout.
    pub fn write<'r, R>(&'r self, row: &'r R, out: &mut BatchBuilder)
    where
        F: ColumnValue<R>,
    {
        for (entry, column) in self.columns.entries.iter().zip(&mut out.columns) {
            column.push(&entry.value.value(row));
        }
    }
}

/// Rows that become a [`RecordBatch`].
pub struct BatchBuilder {
    columns: Vec<ColumnBuilder>,
    schema: SchemaRef,
}

impl BatchBuilder {
    /// The rows. Others may follow, for another batch.
    pub fn finish(&mut self) -> RecordBatch {
        let mut arrays = Vec::with_capacity(self.schema.fields().len());
        self.columns.iter_mut().for_each(|column| column.finish(&mut arrays));
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .expect("each column has the type that the schema gives it, and a value for each row")
    }
}

/// The fields of a column: one, or three for dates.
fn fields_of(column: &Column) -> Vec<Field> {
    let field =
        |suffix: &str, data_type| Field::new(format!("{}{suffix}", column.name), data_type, true);
    let data_type = match column.kind {
        ColumnType::UInt64 => DataType::UInt64,
        ColumnType::UInt16 => DataType::UInt16,
        ColumnType::Float64 => DataType::Float64,
        ColumnType::Bool => DataType::Boolean,
        ColumnType::Text => DataType::Utf8,
        ColumnType::Name => {
            DataType::Dictionary(Box::new(DataType::Int32), Box::new(DataType::Utf8))
        }
        ColumnType::Timestamp => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        ColumnType::List => DataType::List(Arc::new(Field::new_list_field(DataType::Utf8, true))),
        ColumnType::Date => {
            return vec![
                field("", DataType::Utf8),
                field("_from", DataType::Date32),
                field("_to", DataType::Date32),
            ];
        }
    };
    vec![field("", data_type)]
}
