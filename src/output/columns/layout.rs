//! Rows of one kind as record batches.

use std::{collections::HashMap, fmt, sync::Arc};

use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, SchemaRef};

use super::{
    builder::ColumnBuilder,
    name_list::{ListedBuilder, NameList},
    names::join_names,
    schema::schema_of_columns,
};
use crate::{
    catalogue::Catalogue,
    output::{Audience, Cell, ColumnSet, ColumnValue, Field, FieldValue},
};

/// The schema of rows about games with these fields.
#[must_use]
pub fn schema_of(fields: &[Field]) -> SchemaRef {
    BatchLayout::new(Field::columns(fields)).schema()
}

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
/// let mut rows = layout.builder();
/// layout.write(&("Benoni", 3), &mut rows);
/// let batch = rows.finish();
/// assert_eq!(batch.num_rows(), 1);
/// assert_eq!(batch.schema().field(1).name(), "games");
/// ```
#[derive(Debug, Clone)]
pub struct BatchLayout<F> {
    columns: ColumnSet<F>,
    schema: SchemaRef,
    /// The names that each column can have, where they are known.
    lists: Vec<Option<Arc<NameList>>>,
}

impl<F> BatchLayout<F> {
    /// The columns that programs get.
    #[must_use]
    pub fn new(columns: ColumnSet<F>) -> Self {
        let columns = columns.select(Audience::Machine);
        let (all, lists) = (columns.columns(), vec![None; columns.values().count()]);
        Self { columns, schema: schema_of_columns(&all, HashMap::new()), lists }
    }

    /// The same, for files with this [metadata](super::origin).
    #[must_use]
    pub fn with_metadata(self, metadata: HashMap<String, String>) -> Self {
        let schema = self.schema.as_ref().clone().with_metadata(metadata);
        Self { schema: Arc::new(schema), ..self }
    }

    /// The schema of the batches.
    #[must_use]
    pub fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    /// A batch without rows.
    #[must_use]
    pub fn builder(&self) -> BatchBuilder {
        self.builder_for(0)
    }

    /// A batch without rows, with room for this number of them.
    #[must_use]
    pub fn builder_for(&self, rows: usize) -> BatchBuilder {
        let columns = self.columns.columns();
        let columns = columns.iter().zip(&self.lists).map(|(column, list)| match list {
            Some(list) => ColumnBuilder::Listed(ListedBuilder::new(list, rows)),
            None => ColumnBuilder::new(column.kind, rows),
        });
        BatchBuilder { columns: columns.collect(), rows: 0, schema: self.schema() }
    }

    /// Adds a row to a batch of this layout.
    #[inline]
    pub fn write<'r, R>(&'r self, row: &'r R, out: &mut BatchBuilder)
    where
        F: ColumnValue<R>,
    {
        for (cell, column) in self.columns.cells(row).zip(&mut out.columns) {
            match column {
                ColumnBuilder::Listed(names) => names.push(cell.named(), || cell.value()),
                column => column.push(&cell.value()),
            }
        }
        out.rows += 1;
    }
}

impl BatchLayout<FieldValue> {
    /// The same, faster for games that this catalogue names: its names are numbered beforehand.
    #[must_use]
    pub fn with_names_of(mut self, catalogue: &Catalogue) -> Self {
        let lists = self
            .columns
            .values()
            .map(|value| value.of_openings().map(|name| Arc::new(NameList::new(catalogue, name))));
        self.lists = lists.collect();
        self
    }
}

/// Rows that become a [`RecordBatch`].
pub struct BatchBuilder {
    columns: Vec<ColumnBuilder>,
    rows: usize,
    schema: SchemaRef,
}

impl fmt::Debug for BatchBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BatchBuilder").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl BatchBuilder {
    /// The number of rows.
    #[must_use]
    pub fn row_count(&self) -> usize {
        self.rows
    }

    /// The rows. Others may follow, for another batch.
    pub fn finish(&mut self) -> RecordBatch {
        let batch = self.finish_for_encoder();
        let arrays = batch.columns().iter().map(|array| match array.data_type() {
            DataType::Dictionary(..) => {
                let joined = join_names(std::slice::from_ref(array));
                Arc::new(joined.expect("dictionaries are those of names")) as ArrayRef
            }
            _ => Arc::clone(array),
        });
        RecordBatch::try_new(batch.schema(), arrays.collect())
            .expect("dictionaries have names for the same rows")
    }

    /// The same, for a [`BatchEncoder`](super::BatchEncoder): dictionaries may have names that no
    /// row has, which it leaves out.
    pub fn finish_for_encoder(&mut self) -> RecordBatch {
        let mut arrays = Vec::with_capacity(self.schema.fields().len());
        self.columns.iter_mut().for_each(|column| column.finish(&mut arrays));
        self.rows = 0;
        RecordBatch::try_new(Arc::clone(&self.schema), arrays)
            .expect("each column has the type that the schema gives it, and a value for each row")
    }
}
