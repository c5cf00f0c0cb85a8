//! The pieces, drawn for this project: paths in a box of 100 by 100.
//!
//! They must be distinct at 16 pixels. So each has its own silhouette, strokes are wide, and inner
//! lines are few.

use crate::chess::Role;

/// How a piece is drawn.
pub(super) struct Shape {
    /// Closed outlines, filled. Each covers those before it.
    pub(super) outlines: &'static [&'static str],
    /// Inner lines, in the colour of the outline for White, and light for Black.
    pub(super) lines: &'static str,
    /// Small filled inner shapes, in the colour of the inner lines.
    pub(super) dots: &'static str,
}

const PAWN: Shape = Shape {
    outlines: &[
        "M50 17C58 17 64.5 23.5 64.5 31.5C64.5 36.6 62 41 58.2 43.6C63.5 44.4 65.5 46 65.5 48.2\
                 C65.5 50.4 63.5 51.6 60 52C61 63 66 69 72 74.5C75.5 77.8 77 82 77 88H23C23 82 24.5 77.8 28 74.5\
                 C34 69 39 63 40 52C36.5 51.6 34.5 50.4 34.5 48.2C34.5 46 36.5 44.4 41.8 43.6\
                 C38 41 35.5 36.6 35.5 31.5C35.5 23.5 42 17 50 17Z",
    ],
    lines: "M28.5 77.5H71.5",
    dots: "",
};

const ROOK: Shape = Shape {
    outlines: &[
        "M22 15H34.5V23H43.5V15H56.5V23H65.5V15H78V32L68 41L70 67L78.5 74.5V88H21.5V74.5L30 67L32 41L22 32Z",
    ],
    lines: "M26 32.5H74M32.5 41.5H67.5M30.5 66.5H69.5M24 77.5H76",
    dots: "",
};

const KNIGHT: Shape = Shape {
    outlines: &["M23 88C23 79.5 27 74 33.5 68C40 62 46.5 57.5 47.5 50.5C43 53.5 39 54.5 34.5 55.5\
                 C31.5 59.5 28 62 24 60.5C18 58.5 14 54 15.5 48.5C17 43 21.5 39.5 24.5 33.5\
                 C26.5 29.5 28 26.5 31 23.5L29.5 11.5C34 12.5 37.5 15 40 18.5L46.5 11C48.5 13.5 49.5 16 50 18.5\
                 C70 21.5 82.5 42 81.5 88Z"],
    lines: "M52.5 26.5C66 31.5 73 48 72.5 77.5H31",
    dots: "M36.5 33.5A3.4 3.4 0 1 1 29.7 33.5A3.4 3.4 0 1 1 36.5 33.5Z\
           M23.3 51A2.2 2.2 0 1 1 18.9 51A2.2 2.2 0 1 1 23.3 51Z",
};

const BISHOP: Shape = Shape {
    outlines: &[
        "M50 7.5A5.6 5.6 0 1 1 49.9 7.5Z",
        "M50 18.5C60.5 26.5 69.5 36 69.5 47.5C69.5 53.5 67 58 62.5 62H37.5C33 58 30.5 53.5 30.5 47.5\
         C30.5 36 39.5 26.5 50 18.5Z",
        "M36.5 62H63.5L67.5 70.5C74.5 73.5 79.5 76.5 79.5 88H20.5C20.5 76.5 25.5 73.5 32.5 70.5Z",
    ],
    lines: "M34 70.5H66M27 78.5H73",
    dots: "M55.6 31L60.6 34L52.4 47L47.4 44Z",
};

const QUEEN: Shape = Shape {
    outlines: &[
        "M22 63L11.5 32L30.5 50L31 21.5L43.5 46.5L50 16L56.5 46.5L69 21.5L69.5 50L88.5 32L78 63C74 66 73 69 75 72.5\
         C77.5 77 79 81 79 88H21C21 81 22.5 77 25 72.5C27 69 26 66 22 63Z",
        "M11.5 22.5A5 5 0 1 1 11.4 22.5Z",
        "M31 12.5A5 5 0 1 1 30.9 12.5Z",
        "M50 8A5 5 0 1 1 49.9 8Z",
        "M69 12.5A5 5 0 1 1 68.9 12.5Z",
        "M88.5 22.5A5 5 0 1 1 88.4 22.5Z",
    ],
    lines: "M23.5 63C40 58.5 60 58.5 76.5 63M26.5 71C42 67 58 67 73.5 71\
            M23.5 79.5C40 76 60 76 76.5 79.5",
    dots: "",
};

const KING: Shape = Shape {
    outlines: &[
        "M49.4 6.5H50.6V13.4H57.5V14.6H50.6V25H49.4V14.6H42.5V13.4H49.4Z",
        "M50 24.5C55.5 28.5 59 33 57.5 39.5L50 52L42.5 39.5C41 33 44.5 28.5 50 24.5Z",
        "M23.5 63.5C12 50 11.5 32 28.5 31C39 30.5 47 38 50 50C53 38 61 30.5 71.5 31C88.5 32 88 50 76.5 63.5\
         C74 66.5 73.5 69.5 75 72.5C77.5 77 79 81 79 88H21C21 81 22.5 77 25 72.5C26.5 69.5 26 66.5 23.5 63.5Z",
    ],
    // The first is where the lobes meet: a line upon the outline for White, the only one for Black.
    lines: "M43.5 38.5C46.5 41.5 48.8 45.5 50 50C51.2 45.5 53.5 41.5 56.5 38.5\
            M24.5 63C40 58.5 60 58.5 75.5 63M26.5 71C42 67 58 67 73.5 71\
            M23.5 79.5C40 76 60 76 76.5 79.5",
    dots: "",
};

pub(super) fn shape(role: Role) -> &'static Shape {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}
