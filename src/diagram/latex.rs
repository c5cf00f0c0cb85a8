//! A diagram as LaTeX source, for the package `chessboard` (which `xskak` loads).

use std::collections::BTreeMap;

use super::{Arrow, Coordinates, Diagram, Mark, Paint, Theme};
use crate::chess::Color;

impl Diagram {
    /// The diagram as LaTeX, to be read with `\input`. The document loads `chessboard` or `xskak`,
    /// whose fonts and colours of squares it has.
    #[must_use]
    pub fn to_latex(&self, theme: &Theme) -> String {
        let mut colours = Colours::default();
        let mut keys = vec![format!("setfen={{{}}}", self.fen)];
        keys.push(format!("showmover={}", self.shows_mover()));
        keys.push(format!("label={}", self.coordinates == Coordinates::Shown));
        if self.bottom == Color::Black {
            keys.push("inverse".to_owned());
        }
        let check = self.check.then(|| self.fen.checked_king()).flatten();
        let check = check.map(|square| Mark { square, paint: Some(theme.check) });
        for mark in self.marks.iter().chain(&check) {
            let colour = colours.name(mark.paint.unwrap_or(theme.mark));
            let square = mark.square;
            keys.push(format!("pgfstyle=color,opacity=0.72,color={colour},markfield={square}"));
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
        let caption = match self.caption.trim() {
            "" => String::new(),
            caption => format!("\\par\\small {}\\par\n", escaped(caption)),
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

/// A text without characters that are commands of TeX.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for c in text.chars() {
        match c {
            '\\' => safe += "\\textbackslash{}",
            '~' => safe += "\\textasciitilde{}",
            '^' => safe += "\\textasciicircum{}",
            '#' | '$' | '%' | '&' | '_' | '{' | '}' => safe.extend(['\\', c]),
            '\n' => safe += "\\\\\n",
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
             \x20 pgfstyle=color,opacity=0.72,color=eco0,markfield=e4,\n\
             \x20 pgfstyle=color,opacity=0.72,color=eco1,markfield=e1,\n\
             \x20 pgfstyle=circle,opacity=0.85,color=eco0,markfield=d5,\n\
             \x20 pgfstyle=straightmove,arrow=to,opacity=0.8,color=eco2,markmove=e2-e4\n\
             ]\n\
             \\par\\small 50\\% \\& \\{x\\}\\textbackslash{}\\par\n"
        );
    }
}
