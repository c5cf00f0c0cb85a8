//! `eco completions` and `eco man`.

use crate::harness::Workplace;

#[test]
fn every_shell_is_told_of_every_command() {
    let place = Workplace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(&["completions", shell]).exits(0).stdout.clone();
        for command in ["classify", "lookup", "from-pgn", "catalogue", "explain"] {
            assert!(script.contains(command), "{command} is not in the script for {shell}");
        }
    }
    place.run(&["completions", "tcsh"]).exits(2).complains("possible values");
}

#[test]
fn every_command_has_a_page() {
    let place = Workplace::new();
    place.run(&["man"]).exits(0).prints_part(".TH eco 1");
    place.run(&["man", "--output", "."]).exits(0).prints("");
    let files = place.files();
    for page in ["eco.1", "eco-classify.1", "eco-fen-check.1", "eco-catalogue-diff.1"] {
        assert!(files.iter().any(|file| file == page), "{page} is not in {files:?}");
    }
    place.run(&["man", "--output", "no/such"]).exits(2).complains("eco: no/such: No such file");
}
