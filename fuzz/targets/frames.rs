#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eco_fuzz::frames::check_bytes(bytes));
