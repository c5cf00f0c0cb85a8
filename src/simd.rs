//! Bit sets of 64 bytes at once, with the widest vectors that the machine has.
//!
//! A *bit set* (`bits_...`) belongs to 64 bytes: bit `n` is the answer for byte `n`, and every bit
//! is right.
//!
//! A *kernel* is a loop that is compiled several times: for what every machine of the
//! architecture has, for AVX2 and for AVX-512. `run` chooses among them, once for the whole loop.
//! What a kernel calls must be `inline(always)`; anything else, closures included, is compiled for
//! every machine, and called. With AVX2 come instructions that count and clear bits, which boards
//! need more than vectors.
//!
//! Advice for whoever goes on: choosing costs some ten instructions and a call that nothing is
//! inlined through, so a kernel should take a microsecond, as a game does. Time goes into waiting
//! for loads and into branches that nobody can predict, more than into instructions. The compiler
//! may turn conditions joined by `&` or `|` back into branches; a look-up in a table has none.
//!
//! This file is the only one that names `fearless_simd`, which keeps `unsafe` out of ours.

use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use fearless_simd::Simd;
use fearless_simd::{Level, dispatch, prelude::*, u8x16, u8x64};

/// The number of bytes that are looked at together.
pub(crate) const BLOCK: usize = 64;

/// The bytes that are looked at together.
pub(crate) type Block = [u8; BLOCK];

/// A loop that is compiled for several kinds of vectors. It must give the same with all.
pub(crate) trait Kernel {
    /// What it returns.
    type Output;

    /// Runs it. Each implementation must be `inline(always)`.
    fn run<S: Simd>(self, simd: S) -> Self::Output;
}

/// How wide vectors may be. No result depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Vectors {
    /// As the machine has them.
    Widest,
    /// At most 32 bytes, as x86-64 machines of the third level have them (AVX2).
    Avx2,
    /// What every machine of the architecture has: 16 bytes on x86-64 and on aarch64, none on
    /// wasm32, where bytes are compared one by one.
    Baseline,
}

impl Vectors {
    /// All of them.
    pub(crate) const ALL: [Self; 3] = [Self::Widest, Self::Avx2, Self::Baseline];

    /// Those of a name: `widest`, which may be left out, `avx2` or `baseline`.
    ///
    /// ```
    /// use eco::simd::Vectors;
    ///
    /// assert_eq!(Vectors::named("avx2"), Some(Vectors::Avx2));
    /// assert_eq!(Vectors::named("sse"), None);
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "" | "widest" => Some(Self::Widest),
            "avx2" => Some(Self::Avx2),
            "baseline" => Some(Self::Baseline),
            _ => None,
        }
    }
}

/// The index in [`Vectors::ALL`] of what the process may use.
static LIMIT: AtomicU8 = AtomicU8::new(0);

/// Limits the vectors that the process uses from now on, to measure what they give.
pub fn limit_vectors(to: Vectors) {
    LIMIT.store(to as u8, Ordering::Relaxed);
}

/// Runs a kernel with the widest vectors that the machine has.
#[inline(always)]
pub(crate) fn run<K: Kernel>(kernel: K) -> K::Output {
    let limit = usize::from(LIMIT.load(Ordering::Relaxed));
    run_with(Vectors::ALL[limit % Vectors::ALL.len()], kernel)
}

/// Runs a kernel with these vectors, or narrower ones if the machine has no others.
#[inline(always)]
pub(crate) fn run_with<K: Kernel>(vectors: Vectors, kernel: K) -> K::Output {
    #[cfg(target_arch = "x86_64")]
    {
        if vectors == Vectors::Widest
            && let Some(simd) = Level::new().as_avx512()
        {
            return simd.vectorize(
                #[inline(always)]
                || kernel.run(simd),
            );
        }
        if vectors != Vectors::Baseline
            && let Some(simd) = Level::new().as_avx2()
        {
            return simd.vectorize(
                #[inline(always)]
                || kernel.run(simd),
            );
        }
    }
    let _ = vectors;
    dispatch!(Level::baseline(), simd => kernel.run(simd))
}

/// The bytes as a vector.
#[inline(always)]
fn load<S: Simd>(simd: S, block: &Block) -> u8x64<S> {
    u8x64::simd_from(simd, *block)
}

/// Returns the bit set of the bytes that equal `byte`.
#[inline(always)]
pub(crate) fn bits_of<S: Simd>(simd: S, block: &Block, byte: u8) -> u64 {
    load(simd, block).simd_eq(u8x64::splat(simd, byte)).to_bitmask()
}

/// Returns the bit set of the bytes that equal one of `bytes`.
#[inline(always)]
pub(crate) fn bits_of_any<S: Simd, const N: usize>(simd: S, block: &Block, bytes: [u8; N]) -> u64 {
    let block = load(simd, block);
    // No closure: it would be compiled for every machine.
    let mut are = block.simd_eq(u8x64::splat(simd, bytes[0]));
    for byte in &bytes[1..] {
        are |= block.simd_eq(u8x64::splat(simd, *byte));
    }
    are.to_bitmask()
}

/// Returns the bit set of the ASCII letters.
#[inline(always)]
pub(crate) fn bits_of_letters<S: Simd>(simd: S, block: &Block) -> u64 {
    // 0x20 is the difference between the cases. The distance from `a` wraps for bytes below it, so
    // one comparison holds for both ends.
    let from_a = (load(simd, block) | 0x20) - b'a';
    from_a.simd_le(u8x64::splat(simd, b'z' - b'a')).to_bitmask()
}

/// Returns the bit set of the ASCII digits.
#[inline(always)]
pub(crate) fn bits_of_digits<S: Simd>(simd: S, block: &Block) -> u64 {
    // As for letters.
    let from_zero = load(simd, block) - u8x64::splat(simd, b'0');
    from_zero.simd_le(u8x64::splat(simd, 9)).to_bitmask()
}

/// Returns how many bytes as moves have them sixteen bytes begin with; of sixteen, it returns 15.
///
/// These are all bytes from `0` on, except those of ASCII that have the bits that `9` and `[`
/// share: `9`, `;`, `=`, `?`, `Y`, `[`, `]`, `_`, `y`, `{`, `}` and the delete character. That
/// leaves out whatever ends a word, and takes one comparison.
#[inline(always)]
pub(crate) fn count_move_bytes<S: Simd>(simd: S, bytes: &[u8; 16]) -> usize {
    const SHARED: u8 = b'9' & b'[';
    let bytes = u8x16::simd_from(simd, *bytes);
    let is_below_zero = bytes.simd_le(u8x16::splat(simd, b'0' - 1));
    let others = is_below_zero | (bytes & (0x80 | SHARED)).simd_eq(u8x16::splat(simd, SHARED));
    (others.to_bitmask() | 1 << 15).trailing_zeros() as usize
}

#[cfg(test)]
pub(crate) mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Runs a kernel with all vectors that the machine has, and returns what they agree on.
    pub(crate) fn run_with_all<K: Kernel + Clone>(kernel: &K) -> K::Output
    where
        K::Output: PartialEq + std::fmt::Debug,
    {
        let [widest, others @ ..] = Vectors::ALL.map(|vectors| run_with(vectors, kernel.clone()));
        for other in others {
            assert_eq!(other, widest, "other vectors");
        }
        widest
    }

    #[derive(Clone)]
    struct AllBits<'a>(&'a Block, [u8; 3]);

    impl Kernel for AllBits<'_> {
        type Output = [u64; 4];

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> [u64; 4] {
            let Self(block, wanted) = self;
            let (one, any) = (bits_of(simd, block, wanted[0]), bits_of_any(simd, block, wanted));
            [one, any, bits_of_letters(simd, block), bits_of_digits(simd, block)]
        }
    }

    #[derive(Clone)]
    struct MoveBytes<'a>(&'a [u8; 16]);

    impl Kernel for MoveBytes<'_> {
        type Output = usize;

        #[inline(always)]
        fn run<S: Simd>(self, simd: S) -> usize {
            count_move_bytes(simd, self.0)
        }
    }

    fn is_of_move(byte: u8) -> bool {
        byte >= b'0' && !b"9;=?Y[]_y{}\x7f".contains(&byte)
    }

    #[test]
    fn every_byte_differs_from_every_other_at_every_index() {
        for at in 0..16 {
            for byte in 0..=255 {
                for around in [b'a', b'Z', b'z'] {
                    let mut bytes = [around; 16];
                    bytes[at] = byte;
                    let ends = if is_of_move(byte) { 15 } else { at.min(15) };
                    assert_eq!(run_with_all(&MoveBytes(&bytes)), ends, "{byte} at {at}");
                }
            }
        }
    }

    #[test]
    fn all_vectors_give_the_same_bits() {
        let kernel = AllBits(&[b'4'; BLOCK], *b"4ab");
        assert_eq!(run_with_all(&kernel), [u64::MAX, u64::MAX, 0, u64::MAX]);
        assert_eq!(run(kernel), [u64::MAX, u64::MAX, 0, u64::MAX]);
    }

    proptest! {
        #[test]
        fn bits_are_those_of_the_bytes_one_by_one(
            bytes in prop::collection::vec(any::<[u8; 16]>(), 4),
            wanted: [u8; 3],
            at in 0_usize..BLOCK,
        ) {
            let mut block: Block = bytes.concat().try_into().unwrap();
            block[at] = wanted[0];
            let one_by_one = |is: &dyn Fn(u8) -> bool| {
                let all = (0..).zip(block);
                all.fold(0, |bits, (at, byte)| bits | u64::from(is(byte)) << at)
            };
            let expected = [
                one_by_one(&|byte| byte == wanted[0]),
                one_by_one(&|byte| wanted.contains(&byte)),
                one_by_one(&|byte| byte.is_ascii_alphabetic()),
                one_by_one(&|byte| byte.is_ascii_digit()),
            ];
            prop_assert_eq!(run_with_all(&AllBits(&block, wanted)), expected);
            let (sixteen, _) = block.split_first_chunk().unwrap();
            let count = sixteen.iter().take_while(|byte| is_of_move(**byte)).count();
            prop_assert_eq!(run_with_all(&MoveBytes(sixteen)), count.min(15));
        }
    }
}
