//! How the page looks, and the script that sorts its tables.

/// The style sheet. Nothing in it is fetched from anywhere.
pub(super) const STYLE: &str = include_str!("page.css");

/// Makes tables sortable; without it they are in order of the pictures.
pub(super) const SCRIPT: &str = include_str!("page.js");
