//! The variable that limits how wide vectors are, to measure what they give.

use std::{env, ffi::OsStr};

use eco::simd::{Vectors, limit_vectors};

use super::outcome::Failure;

const VARIABLE: &str = "ECO_VECTORS";

/// Limits the vectors as the environment says.
pub(super) fn limit() -> Result<(), Failure> {
    if let Some(value) = env::var_os(VARIABLE) {
        limit_vectors(read(&value)?);
    }
    Ok(())
}

fn read(value: &OsStr) -> Result<Vectors, Failure> {
    value.to_str().and_then(Vectors::named).ok_or_else(|| {
        Failure(format!(
            "{VARIABLE} is {}: give widest, avx2 or baseline, or leave it out",
            value.display()
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_widths_have_names() {
        for (value, vectors) in [
            ("", Some(Vectors::Widest)),
            ("widest", Some(Vectors::Widest)),
            ("avx2", Some(Vectors::Avx2)),
            ("baseline", Some(Vectors::Baseline)),
            ("sse", None),
        ] {
            assert_eq!(read(OsStr::new(value)).ok(), vectors, "{value}");
        }
    }
}
