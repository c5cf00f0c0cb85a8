#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eco_fuzz::names::check_bytes(bytes));
