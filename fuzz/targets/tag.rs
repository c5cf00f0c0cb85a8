#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| eco_fuzz::tag::check_bytes(bytes));
