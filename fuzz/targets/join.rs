#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eco_fuzz::join::check_bytes(bytes));
