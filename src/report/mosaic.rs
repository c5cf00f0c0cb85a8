//! Boxes that fill a rectangle, each with its share of the area.
//!
//! They are laid out as a squarified treemap (Bruls, Huizing and van Wijk, "Squarified treemaps",
//! 2000), of boxes that are wider than high, so that names fit.

use super::svg::Rect;

/// How much wider than high a box should be.
const FLATNESS: f64 = 5.0;

/// Boxes for sizes, the greatest first, in a rectangle.
pub(super) fn mosaic(sizes: &[f64], rect: Rect) -> Vec<Rect> {
    let all: f64 = sizes.iter().sum();
    if all <= 0.0 {
        return Vec::new();
    }
    // Boxes that should be flat are squares of a picture that is as much narrower.
    let mut rest = Rect { x: 0.0, y: 0.0, width: rect.width / FLATNESS, height: rect.height };
    let scale = rest.width * rest.height / all;
    let areas: Vec<f64> = sizes.iter().map(|size| size * scale).collect();
    let (mut boxes, mut areas) = (Vec::new(), &areas[..]);
    while !areas.is_empty() {
        let side = rest.width.min(rest.height);
        let count = strip(areas, side);
        let (strip, others) = areas.split_at(count);
        rest = lay(strip, rest, &mut boxes);
        areas = others;
    }
    let into_picture = |b: Rect| Rect {
        x: rect.x + b.x * FLATNESS,
        y: rect.y + b.y,
        width: b.width * FLATNESS,
        height: b.height,
    };
    boxes.into_iter().map(into_picture).collect()
}

/// The number of areas that are best laid beside each other along a side.
fn strip(areas: &[f64], side: f64) -> usize {
    let mut count = 1;
    while count < areas.len() && worst(&areas[..=count], side) <= worst(&areas[..count], side) {
        count += 1;
    }
    count
}

/// How far the least square of these areas is from a square, laid along a side.
fn worst(areas: &[f64], side: f64) -> f64 {
    let sum: f64 = areas.iter().sum();
    let thickness = sum / side;
    let ratio = |area: &f64| {
        let length = area / thickness;
        f64::max(length / thickness, thickness / length)
    };
    areas.iter().map(ratio).fold(0.0, f64::max)
}

/// Lays areas along the shorter side of a rectangle, and returns what is left of it.
fn lay(areas: &[f64], rest: Rect, boxes: &mut Vec<Rect>) -> Rect {
    let sum: f64 = areas.iter().sum();
    let Rect { mut x, mut y, width, height } = rest;
    if width >= height {
        let thickness = sum / height;
        for area in areas {
            let length = area / thickness;
            boxes.push(Rect { x, y, width: thickness, height: length });
            y += length;
        }
        return Rect { x: x + thickness, width: (width - thickness).max(0.0), ..rest };
    }
    let thickness = sum / width;
    for area in areas {
        let length = area / thickness;
        boxes.push(Rect { x, y, width: length, height: thickness });
        x += length;
    }
    Rect { y: y + thickness, height: (height - thickness).max(0.0), ..rest }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn boxes_have_their_share_and_stay_inside(
            mut sizes in prop::collection::vec(1..1000_u32, 1..40),
            (width, height) in (1..900_u32, 1..700_u32),
        ) {
            sizes.sort_by_key(|size| std::cmp::Reverse(*size));
            let sizes: Vec<f64> = sizes.into_iter().map(f64::from).collect();
            let all: f64 = sizes.iter().sum();
            let rect = Rect { x: 7.0, y: 3.0, width: width.into(), height: height.into() };
            let boxes = mosaic(&sizes, rect);
            prop_assert_eq!(boxes.len(), sizes.len());
            for (size, found) in sizes.iter().zip(&boxes) {
                let share = found.width * found.height / (rect.width * rect.height);
                prop_assert!((share - size / all).abs() < 1e-6);
                prop_assert!(found.x >= 7.0 - 1e-6 && found.y >= 3.0 - 1e-6);
                prop_assert!(found.x + found.width <= 7.0 + rect.width + 1e-6);
                prop_assert!(found.y + found.height <= 3.0 + rect.height + 1e-6);
            }
        }
    }
}
