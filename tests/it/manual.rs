//! `eco completions` and `eco man`.

use crate::harness::{Run, Workplace};

#[test]
fn every_shell_gets_a_script_that_asks_the_program() {
    let place = Workplace::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let script = place.run(&["completions", shell]).exits(0).stdout.clone();
        assert!(script.contains("COMPLETE") && script.contains("eco"), "{script}");
    }
    place.run(&["completions", "tcsh"]).exits(2).complains("possible values");
}

/// What bash is offered for the last of these words.
fn offered(place: &Workplace, words: &[&str]) -> Vec<String> {
    let mut command = place.command(&["--", "eco"]);
    command.args(words).env("COMPLETE", "bash").env("_CLAP_IFS", "\n");
    command.env("_CLAP_COMPLETE_INDEX", words.len().to_string());
    let run = Run::new(&command.output().unwrap());
    run.exits(0).stdout.lines().map(str::to_owned).collect()
}

#[test]
fn commands_options_values_files_and_repertoires_are_completed() {
    let place = Workplace::new();
    place.write("games.pgn", "[White \"Carlsen, Magnus\"]\n\n1. e4 *\n");
    let build = ["repertoire", "build", "mine", "--db", "c.db", "--color", "white", "games.pgn"];
    place.run(&build).exits(0);
    assert_eq!(offered(&place, &["cla"]), ["classify"]);
    assert_eq!(offered(&place, &["classify", "g"]), ["games.pgn"]);
    assert_eq!(
        offered(&place, &["classify", "--fields", "eco,op"]),
        ["eco,opening", "eco,opening_en"]
    );
    assert_eq!(offered(&place, &["fen", "move", "--lang", "d"]), ["de", "da"]);
    assert_eq!(offered(&place, &["repertoire", "gaps", "--db", "c.db", "m"]), ["mine"]);
    assert_eq!(offered(&place, &["db", "remove", "--db", "c.db", "m"]), ["mine"]);
    place.run(&["index", "games.pgn", "--db", "g.db", "--name", "club"]).exits(0);
    assert_eq!(offered(&place, &["stats", "g.db", "--collection", "c"]), ["club"]);
    let players = offered(&place, &["stats", "g.db", "--player", "Car"]);
    assert!(players.iter().any(|player| player.contains("Carlsen")), "{players:?}");
    let options = offered(&place, &["classify", "--"]);
    assert!(options.iter().any(|option| option == "--fields"), "{options:?}");
    assert!(!options.iter().any(|option| option == "--block-size"), "{options:?}");
}

#[test]
fn every_command_has_a_page() {
    let place = Workplace::new();
    place.run(&["man"]).exits(0).prints_part(".TH eco 1");
    place.run(&["man", "--output", "."]).exits(0).prints("");
    let files = place.files();
    for page in ["eco.1", "eco-classify.1", "eco-fen-check.1", "eco-db-diff.1"] {
        assert!(files.iter().any(|file| file == page), "{page} is not in {files:?}");
    }
    place.run(&["man", "--output", "no/such"]).exits(2).complains("eco: no/such: No such file");
}
