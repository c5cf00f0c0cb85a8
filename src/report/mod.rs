//! A report as one page with pictures.
//!
//! A [`Page`] holds the numbers of a [`stats::Report`](crate::stats::Report) and what they are
//! about, and writes them as HTML. The page needs nothing else: no network, no fonts, and no
//! script, except to sort tables. The same numbers make the same bytes. Each picture has its
//! numbers in a table below it, for readers of screens and for whoever wants to know them exactly.
//!
//! Names are text of files. They are escaped where they are written, in `html`, and nowhere else;
//! characters that control a terminal or the direction of text become spaces, and only addresses of
//! `http` and `https` become links.
//!
//! The pictures are SVG, drawn here and not by a plotting crate. Those draw axes and series, which
//! are the easy part; a map of openings with names that fit, intervals beside bars, and flows of
//! moves are in none of them. Each picture comes in two widths, for screens and for telephones,
//! because letters that shrink with the picture cannot be read.
//!
//! Each file imports only from those to its left:
//!
//! ```text
//! topic · html · number · letters · shade · svg · mosaic · style · table · dots · icicle · flows
//! · timeline · histogram · words · departures · headline · openings │ page
//! ```

mod departures;
mod dots;
mod flows;
mod headline;
mod histogram;
mod html;
mod icicle;
mod letters;
mod mosaic;
mod number;
mod openings;
mod page;
mod shade;
mod style;
mod svg;
mod table;
mod timeline;
mod topic;
mod words;

pub use departures::{Departed, Departures};
pub use page::Page;
pub use topic::Topic;
