//! The colours of an image, few enough for a palette of PNG.
//!
//! A board with pieces has some 250 to 450 colours, for the edges of pieces are mixed with two
//! colours of squares. A byte for a pixel instead of three makes the file half as large, and takes
//! half the time.

use std::iter;

/// Red, green, blue and opacity.
pub(super) type Colour = [u8; 4];

/// The most colours of a palette.
const MAX: usize = 256;

/// The most colours that are counted; an image with more is no board with pieces.
const MAX_COUNTED: usize = 2048;

/// The slots in which colours are looked up: a power of two, at least twice as many as are counted.
const SLOTS: usize = 2 * MAX_COUNTED;

/// How far a rare colour may lie from the one that stands for it, of 255. Nobody sees it.
const MAX_DISTANCE: u8 = 2;

/// An image by a palette.
pub(super) struct Indexed {
    pub(super) palette: Vec<Colour>,
    /// The colour of each pixel.
    pub(super) pixels: Vec<u8>,
}

impl Indexed {
    /// The image by a palette, in which the most frequent colours are exact and no other is further
    /// off than [`MAX_DISTANCE`]; `None` if there are too many.
    pub(super) fn new(pixels: impl Iterator<Item = Colour>) -> Option<Self> {
        let count = pixels.size_hint().0;
        let mut census = Census::default();
        // Most pixels have the colour of the one before.
        let mut runs: Vec<(u16, u32)> = Vec::new();
        let mut last = None;
        for colour in pixels {
            match runs.last_mut() {
                Some((_, length)) if last == Some(colour) => *length += 1,
                _ => runs.push((census.number(colour)?, 1)),
            }
            last = Some(colour);
        }
        for (number, length) in &runs {
            census.counts[usize::from(*number)].1 += length;
        }
        let (palette, index) = (0..=MAX_DISTANCE).find_map(|distance| census.palette(distance))?;
        let mut pixels = Vec::with_capacity(count);
        for (number, length) in runs {
            pixels.extend(iter::repeat_n(index[usize::from(number)], length as usize));
        }
        Some(Self { palette, pixels })
    }
}

/// Colours, numbered as they are met, with how often that was.
struct Census {
    /// The number of a colour, one more than it is; 0 in an empty slot.
    slots: Vec<u16>,
    counts: Vec<(Colour, u32)>,
}

impl Default for Census {
    fn default() -> Self {
        Self { slots: vec![0; SLOTS], counts: Vec::new() }
    }
}

impl Census {
    /// The number of a colour; `None` if there are too many colours.
    fn number(&mut self, colour: Colour) -> Option<u16> {
        // The upper bits of a product with an odd number depend on all bits of the colour.
        let mixed = u32::from_le_bytes(colour).wrapping_mul(0x9e37_79b1);
        let mut slot = (mixed >> 20) as usize % SLOTS;
        loop {
            match self.slots[slot] {
                0 if self.counts.len() == MAX_COUNTED => return None,
                0 => {
                    let number = self.counts.len() as u16;
                    self.counts.push((colour, 0));
                    self.slots[slot] = number + 1;
                    return Some(number);
                }
                known if self.counts[usize::from(known - 1)].0 == colour => return Some(known - 1),
                _ => slot = (slot + 1) % SLOTS,
            }
        }
    }

    /// Colours such that one of them is near to each that was counted, and which one that is;
    /// `None` if they are too many.
    fn palette(&self, distance: u8) -> Option<(Vec<Colour>, Vec<u8>)> {
        let mut order: Vec<usize> = (0..self.counts.len()).collect();
        order.sort_by_key(|number| std::cmp::Reverse(self.counts[*number].1));
        let mut palette: Vec<Colour> = Vec::new();
        let mut index = vec![0; self.counts.len()];
        for number in order {
            let colour = self.counts[number].0;
            let near = palette.iter().position(|known| is_near(*known, colour, distance));
            let at = near.unwrap_or(palette.len());
            if at == MAX {
                return None;
            }
            if near.is_none() {
                palette.push(colour);
            }
            index[number] = at as u8;
        }
        Some((palette, index))
    }
}

fn is_near(a: Colour, b: Colour, distance: u8) -> bool {
    a.iter().zip(b).all(|(a, b)| a.abs_diff(b) <= distance)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grey(level: usize) -> Colour {
        let level = level as u8;
        [level, level, level, 255]
    }

    #[test]
    fn few_colours_are_exact() {
        let pixels: Vec<Colour> = (0..MAX).chain(0..10).map(grey).collect();
        let image = Indexed::new(pixels.iter().copied()).unwrap();
        let shown: Vec<Colour> =
            image.pixels.iter().map(|index| image.palette[usize::from(*index)]).collect();
        assert_eq!((image.palette.len(), shown), (MAX, pixels));
    }

    #[test]
    fn more_colours_are_near_and_the_frequent_ones_exact() {
        let colours = (0..400).map(|n| [(n % 20 * 12) as u8, (n / 20) as u8, 0, 255]);
        let frequent = [99, 99, 99, 255];
        let pixels: Vec<Colour> = colours.flat_map(|colour| [colour, frequent, frequent]).collect();
        let image = Indexed::new(pixels.iter().copied()).unwrap();
        assert!(image.palette.len() <= MAX);
        for (colour, index) in pixels.iter().zip(&image.pixels) {
            let shown = image.palette[usize::from(*index)];
            assert!(is_near(shown, *colour, MAX_DISTANCE), "{shown:?} for {colour:?}");
            assert!(*colour != frequent || shown == frequent);
        }
    }

    #[test]
    fn too_many_colours_have_no_palette() {
        let far = |n: usize| [(n % 32 * 8) as u8, (n / 32 * 8) as u8, 0, 255];
        assert!(Indexed::new((0..1000).map(far)).is_none());
        let many = (0..=MAX_COUNTED).map(|n| [(n % 256) as u8, (n / 256) as u8, 0, 255]);
        assert!(Indexed::new(many).is_none());
        assert_eq!(Indexed::new(std::iter::empty()).unwrap().palette, [[0; 4]; 0]);
    }
}
