//! The command line of eco.

fn main() {}
