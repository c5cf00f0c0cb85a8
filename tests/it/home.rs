//! The home: a database without `--db`, settings, and the names of the user.

use std::fs;

use crate::harness::{Workplace, famous_games};

const HOME_DB: &str = "home/data/eco/eco.db";

fn place() -> Workplace {
    let place = Workplace::new();
    place.write("games.pgn", famous_games());
    place
}

#[test]
fn what_is_kept_without_db_is_in_the_home() {
    let place = place();
    let db = place.path(HOME_DB).display().to_string();
    // Nothing is there yet, and nothing is made by asking.
    for command in [
        &["explore", "e4"][..],
        &["db", "list"],
        &["repertoire", "tree"],
        &["serve", "--port", "0"],
    ] {
        place.run(command).exits(2).complains(&db).complains("`eco index GAMES.pgn`");
    }
    assert_eq!(place.files(), ["games.pgn"]);
    place
        .run(&["index", "games.pgn"])
        .exits(0)
        .complains(&format!("{db} is new; commands use it unless --db names another file"))
        .prints(&format!("{db}: games: added 30 games\n"));
    place.run(&["index", "games.pgn", "--quiet"]).exits(0).is_silent();
    place.run(&["explore", "e4", "c5"]).exits(0).prints_part("Nf3");
    // Commands that read games and are given none read those of the home.
    place.shell("eco stats --by volume -f csv --quiet").exits(0).prints_part("\nC,8,7,0,1,");
    place
        .shell("eco filter --player 'Morphy, Paul' -q")
        .exits(0)
        .prints_part("[White \"Morphy, Paul");
    place.shell("eco stats --by volume -f csv -q < games.pgn").exits(0).prints_part("\nC,8,7,0,1,");
    let both = ["stats", "games.pgn", "--db", "x.db"];
    place.run(&both).exits(2).complains("--db x.db: is read where no INPUT is named; --catalogue");
    place.write("lines.pgn", "1. e4 c5 2. Nf3 *\n");
    place.run(&["repertoire", "add", "white", "lines.pgn", "--color", "white"]).exits(0);
    let kinds = place.run(&["db", "list", "--no-header"]).exits(0).stdout.clone();
    let kinds: Vec<&str> = kinds.lines().filter_map(|row| row.split('\t').next()).collect();
    assert_eq!(kinds, ["collection", "repertoire"]);
}

#[test]
fn settings_are_shown_changed_and_overridden() {
    let place = place();
    let config = |args: &[&str]| place.run(&[&["config"], args].concat());
    config(&["width", "40"]).exits(0).is_silent();
    config(&["width"]).exits(0).prints("40\n");
    config(&[]).exits(0).complains("home/config/eco/config.toml").prints_part("width      40\n");
    let table = ["classify", "games.pgn", "-q", "-f", "table"];
    let widest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap_or(0);
    let narrow = place.run(&table).exits(0).stdout.clone();
    let wide = place.run(&[&table[..], &["--width", "90"]].concat()).exits(0).stdout.clone();
    assert!(widest(&narrow) <= 40 && widest(&wide) > 60, "{narrow}{wide}");
    place.write("mine.tsv", "eco\tname\tpgn\nB00\tMine\t1. e4\n");
    config(&["catalogue", "mine.tsv"]).exits(0);
    place.run(&["lookup", "e4"]).exits(0).prints_part("Mine");
    place.run(&["lookup", "e4", "--catalogue", "builtin"]).exits(0).prints_part("King's Pawn");
    config(&["catalogue", ""]).exits(0);
    place.run(&["lookup", "e4"]).exits(0).prints_part("King's Pawn");
    for (args, complaint) in [
        (&["widht", "4"][..], "'width'"),
        (&["width", "0"], "width '0': expected the width of tables in characters"),
        (&["color", "white"], "color 'white': expected auto, always or never"),
        (&["lang", "xx"], "lang: no language 'xx'; there are "),
        (&["width", "5"], "width '5': expected the width of tables in characters, 20 or more"),
    ] {
        config(args).exits(2).complains(complaint);
    }
    let file = place.path("home/config/eco/config.toml");
    for (text, complaint) in [
        ("# mine\nwidht = 3\n", "config.toml: line 2: no setting 'widht'; there is me, catalogue"),
        ("pager = 'less'\nwidth = [\n", "config.toml: line 2: "),
        ("lang = 'de'\n\nwidth = 5\n", "config.toml: line 3: width '5': expected the width"),
        ("color = 'blue'\n", "config.toml: line 1: color 'blue': expected auto, always or never"),
    ] {
        fs::write(&file, text).unwrap();
        place.run(&table).exits(2).complains(complaint).complains("edit the file, or remove it");
        // The command that can mend it does not need it.
        config(&[]).exits(0).complains(complaint).prints_part("width      (not set");
    }
    fs::write(&file, "lang = 'de'\n\nwidth = 5\n").unwrap();
    config(&["lang"]).exits(0).prints("de\n");
    config(&["width", ""]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), "lang = 'de'\n");
    // Comments stay.
    fs::write(&file, "# mine\nwidth = 50\n").unwrap();
    config(&["width", "60"]).exits(0);
    assert_eq!(fs::read_to_string(&file).unwrap(), "# mine\nwidth = 60\n");
}

#[test]
fn me_stands_for_all_names_of_the_user() {
    let place = place();
    let me = |args: &[&str]| place.run(&[&["me"], args].concat());
    let count = |args: &[&str]| {
        let run = place.run(&[&["filter", "games.pgn"], args].concat());
        run.exits(0).stdout.matches("[White ").count()
    };
    place.run(&["filter", "games.pgn", "--player", "me"]).exits(2).complains("`eco me ");
    me(&[]).exits(0).prints("").complains("there are no names yet; `eco me 'Last, First'");
    place.write("line.pgn", "1. e4 e5 2. Nf3 *\n");
    for color in ["white", "black"] {
        let add = ["repertoire", "add", color, "line.pgn", "--color", color, "--db", "books.db"];
        place.run(&add).exits(0);
    }
    let check = ["repertoire", "check", "games.pgn", "--db", "books.db"];
    place.run(&check).exits(2).complains("whose games these are");
    me(&["Morphy, Paul", "Fischer, Robert James"]).exits(0);
    let mine = place.run(&check);
    mine.exits(0).complains("games of Morphy, Paul; Fischer, Robert James (`eco me`)\n");
    let named = ["--player", "Morphy, Paul", "--player", "Fischer, Robert James"];
    let named = place.run(&[&check[..], &named].concat());
    assert_eq!(mine.stdout, named.exits(0).stdout);
    assert!(mine.stderr.ends_with(&*named.stderr) && !named.stdout.is_empty(), "{}", named.stderr);
    me(&["Morphy, Paul"]).exits(0).prints("Morphy, Paul\nFischer, Robert James\n");
    let each = ["Morphy, Paul", "Fischer, Robert James"].map(|name| count(&["--player", name]));
    assert_eq!(count(&["--player", "me"]), each[0] + each[1]);
    assert_eq!(count(&["--player=me"]), each[0] + each[1]);
    assert!(count(&["--player", "everybody"]) == 30 && each[0] > 0 && each[1] > 0);
    // A file has one of the names that a user has on several sites.
    me(&["veralind"]).exits(0);
    assert_eq!(count(&["--player", "me"]), each[0] + each[1]);
    me(&["veralind", "--remove"]).exits(0);
    // Where a player is needed and none is named.
    let weaknesses = ["stats", "games.pgn", "--weaknesses"];
    place.run(&weaknesses).exits(0).complains("games of Morphy, Paul; Fischer, Robert James");
    let all = place.run(&[&weaknesses[..], &["--player", "everybody"]].concat());
    assert!(!all.exits(0).stderr.contains("games of"), "{}", all.stderr);
    let build = ["repertoire", "build", "r", "games.pgn", "--color", "white", "--db", "x.db"];
    place.run(&build).exits(0).complains("games of Morphy, Paul");
    let list = place.run(&["db", "list", "--db", "x.db"]).exits(0).stdout.clone();
    assert!(list.contains("Fischer, Robert James; Morphy, Paul"), "{list}");
    me(&["Morphy, Paul", "--remove"]).exits(0).prints("Fischer, Robert James\n");
    assert_eq!(count(&["--player", "me"]), each[1]);
    me(&["--remove"]).exits(0).prints("");
    place.run(&weaknesses).exits(0);
}
