#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eco_fuzz::pgn::check_bytes(bytes));
