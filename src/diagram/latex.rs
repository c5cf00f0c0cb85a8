//! A diagram as LaTeX source, for the package `chessboard` (which `xskak` loads).

use std::collections::BTreeMap;

use super::{Arrow, Coordinates, Diagram, Paint, Theme};
use crate::chess::Color;

impl Diagram {
    /// The diagram as LaTeX, to be read with `\input`. The document loads `chessboard` or `xskak`,
    /// whose fonts and colours of squares it has.
    pub fn to_latex(&self, theme: &Theme) -> String {
        let mut colours = Colours::default();
        let mut keys = vec![format!("setfen={{{}}}", self.fen)];
        keys.push(format!("showmover={}", self.shows_mover()));
        keys.push(match self.coordinates {
            Coordinates::Shown => "labelleft=true,labelbottom=true".to_owned(),
            Coordinates::Hidden => "label=false".to_owned(),
        });
        if self.bottom == Color::Black {
            keys.push("inverse".to_owned());
        }
        for mark in self.marks_and_check(theme) {
            let colour = colours.name(mark.paint.unwrap_or(theme.mark));
            let square = mark.square;
            // In front of the board, a colour would hide the piece.
            keys.push(format!("pgfstyle=color,opacity=0.72,color={colour},backfield={square}"));
        }
        for circle in &self.circles {
            let colour = colours.name(circle.paint.unwrap_or(theme.arrow));
            let square = circle.square;
            keys.push(format!("pgfstyle=circle,opacity=0.85,color={colour},markfield={square}"));
        }
        for Arrow { from, to, paint } in &self.arrows {
            let colour = colours.name(paint.unwrap_or(theme.arrow));
            let style = "pgfstyle=straightmove,arrow=to,opacity=0.8";
            keys.push(format!("{style},color={colour},markmove={from}-{to}"));
        }
        let lines = self.caption.lines().map(str::trim).filter(|line| !line.is_empty());
        let lines: Vec<String> = lines.map(escaped).collect();
        let caption = match lines.is_empty() {
            true => String::new(),
            // After a line break alone, TeX takes a star or a bracket for a part of it.
            false => format!("\\par{{\\noindent\\small {}\\par}}\n", lines.join("\\\\{}\n")),
        };
        let keys = keys.join(",\n  ");
        format!("{}\\chessboard[\n  {keys}\n]\n{caption}", colours.definitions())
    }
}

/// The colours of a drawing, by the names that they get.
#[derive(Default)]
struct Colours(BTreeMap<String, usize>);

impl Colours {
    fn name(&mut self, paint: Paint) -> String {
        let count = self.0.len();
        let digits = paint.to_string().trim_start_matches('#').to_uppercase();
        format!("eco{}", self.0.entry(digits).or_insert(count))
    }

    fn definitions(&self) -> String {
        let define = |(digits, index): (&String, &usize)| {
            format!("\\definecolor{{eco{index}}}{{HTML}}{{{digits}}}\n")
        };
        self.0.iter().map(define).collect()
    }
}

/// A line of text without characters that are commands of TeX, or that it joins. Figurines and
/// the signs of annotators, which its usual fonts lack, become commands of `chessfss`, which
/// `chessboard` loads, and of mathematics.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '\\' => safe += "\\textbackslash{}",
            '~' => safe += "\\textasciitilde{}",
            '^' => safe += "\\textasciicircum{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => safe.extend(['\\', c]),
            '<' => safe += "\\textless{}",
            '>' => safe += "\\textgreater{}",
            '|' => safe += "\\textbar{}",
            '`' => safe += "\\textasciigrave{}",
            // With the package babel, it may begin a command.
            '"' => safe += "\\char34{}",
            // Side by side they would become dashes and other quotes.
            '-' | '\'' | ',' if safe.ends_with(c) => safe.extend(['{', '}', c]),
            '\u{2654}' | '\u{265a}' => safe += "\\symking{}",
            '\u{2655}' | '\u{265b}' => safe += "\\symqueen{}",
            '\u{2656}' | '\u{265c}' => safe += "\\symrook{}",
            '\u{2657}' | '\u{265d}' => safe += "\\symbishop{}",
            '\u{2658}' | '\u{265e}' => safe += "\\symknight{}",
            '\u{2659}' | '\u{265f}' => safe += "\\sympawn{}",
            '\u{b1}' => safe += "$\\pm$",
            '\u{2213}' => safe += "$\\mp$",
            '\u{221e}' => safe += "$\\infty$",
            '\u{2a72}' => safe += "+=",
            '\u{2a71}' => safe += "=+",
            c if c.is_control() => {}
            c => safe.push(c),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_drawn_is_a_key_of_the_board() {
        let mut diagram = Diagram::new("4k3/8/8/8/7b/8/8/4K3 w - - 0 1".parse().unwrap());
        diagram.bottom = Color::Black;
        diagram.coordinates = Coordinates::Hidden;
        diagram.mover = Some(true);
        diagram.check = true;
        diagram.marks = vec!["e4=#cc3333".parse().unwrap()];
        diagram.circles = vec!["d5=#cc3333".parse().unwrap()];
        diagram.arrows = vec!["e2e4=#112233".parse().unwrap()];
        diagram.caption = "50% & {x}\\".to_owned();
        assert_eq!(
            diagram.to_latex(&Theme::default()),
            "\\definecolor{eco2}{HTML}{112233}\n\
             \\definecolor{eco0}{HTML}{CC3333}\n\
             \\definecolor{eco1}{HTML}{D6362C}\n\
             \\chessboard[\n\
             \x20 setfen={4k3/8/8/8/7b/8/8/4K3 w - - 0 1},\n\
             \x20 showmover=true,\n\
             \x20 label=false,\n\
             \x20 inverse,\n\
             \x20 pgfstyle=color,opacity=0.72,color=eco0,backfield=e4,\n\
             \x20 pgfstyle=color,opacity=0.72,color=eco1,backfield=e1,\n\
             \x20 pgfstyle=circle,opacity=0.85,color=eco0,markfield=d5,\n\
             \x20 pgfstyle=straightmove,arrow=to,opacity=0.8,color=eco2,markmove=e2-e4\n\
             ]\n\
             \\par{\\noindent\\small 50\\% \\& \\{x\\}\\textbackslash{}\\par}\n"
        );
    }

    #[test]
    fn captions_of_any_text_are_text() {
        for (text, source) in [
            ("\\input{/etc/passwd}", "\\textbackslash{}input\\{/etc/passwd\\}"),
            ("a_b^c~d #1 $x$ 5%", "a\\_b\\textasciicircum{}c\\textasciitilde{}d \\#1 \\$x\\$ 5\\%"),
            (
                "<a> -- ``|",
                "\\textless{}a\\textgreater{} -{}- \\textasciigrave{}\\textasciigrave{}\\textbar{}",
            ),
            ("a\n\n [b]\r\n* c\n", "a\\\\{}\n[b]\\\\{}\n* c"),
            ("\u{2658}f3 \u{b1}\u{7}", "\\symknight{}f3 $\\pm$"),
            ("a, b---\"", "a, b-{}-{}-\\char34{}"),
        ] {
            let mut diagram = Diagram::new("8/8/8/8/8/8/8/8 w - - 0 1".parse().unwrap());
            diagram.caption = text.to_owned();
            let latex = diagram.to_latex(&Theme::default());
            let caption = format!("\n]\n\\par{{\\noindent\\small {source}\\par}}\n");
            assert!(latex.ends_with(&caption), "{text:?}: {latex}");
        }
    }
}
