//! The Arrow types of columns.

use std::{collections::HashMap, sync::Arc};

use arrow_schema::{DataType, Field, Schema, SchemaRef};

use crate::output::{Column, ColumnType};

/// The schema of rows with these columns.
pub(super) fn schema_of_columns(
    columns: &[Column],
    metadata: HashMap<String, String>,
) -> SchemaRef {
    let fields: Vec<Field> = columns.iter().flat_map(fields_of).collect();
    Arc::new(Schema::new_with_metadata(fields, metadata))
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
