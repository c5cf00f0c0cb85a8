//! The JSON in a collection of Anki: the type of the notes, the decks, and the options that every
//! collection must have. What is not said here is as Anki makes it.

use serde_json::{Map, Value, json};

use super::{decks::Deck, note::FIELDS};

/// The number of the note type. Anki knows the type by it, so it never changes.
pub(super) const ID: i64 = 1_763_856_000_000;

/// When the note type was last changed, in seconds. To raise it replaces what users have made of
/// the templates.
const CHANGED_AT: i64 = 1_763_856_000;

/// The place of the field that Anki sorts by: the line.
const SORTED_BY: usize = 1;

const FRONT: &str = "{{Diagram}}\n<div class=\"line\">{{Line}}</div>\n<div>{{Question}}</div>";

const BACK: &str = "{{#Solution}}{{Solution}}{{/Solution}}{{^Solution}}{{Diagram}}{{/Solution}}\n\
    <div class=\"line\">{{Line}}</div>\n<div>{{Question}}</div>\n<hr id=\"answer\">\n{{Answer}}\n\
    {{#Tags}}<div class=\"tags\">{{Tags}}</div>{{/Tags}}";

const STYLE: &str = ".card { font-family: sans-serif; font-size: 18px; text-align: center; }\n\
    img { max-width: 100%; }\n\
    .tags { color: #888; font-size: 12px; margin-top: 1em; }\n";

/// The note types of a collection, of which there is one.
pub(super) fn note_types(deck: i64) -> Value {
    let field = |(place, name): (usize, &&str)| {
        json!({
            "name": name, "ord": place, "sticky": false, "rtl": false, "font": "Arial", "size": 20,
            "media": [],
        })
    };
    let template = json!({
        "name": "Card 1", "ord": 0, "qfmt": FRONT, "afmt": BACK, "bqfmt": "", "bafmt": "",
        "did": null,
    });
    let note_type = json!({
        "id": ID, "name": "Chess position (eco)", "type": 0, "mod": CHANGED_AT, "usn": -1,
        "sortf": SORTED_BY, "did": deck, "tags": [], "vers": [], "css": STYLE,
        "latexPre": "\\documentclass{article}\n\\begin{document}\n",
        "latexPost": "\\end{document}",
        "flds": FIELDS.iter().enumerate().map(field).collect::<Vec<_>>(),
        "tmpls": [template],
        "req": [[0, "any", [1, 2, 3]]],
    });
    Value::Object(Map::from_iter([(ID.to_string(), note_type)]))
}

/// The decks of a collection, with the default one, which every collection has.
pub(super) fn decks(decks: &[Deck], modified: i64) -> Value {
    let deck = |id: i64, name: &str| {
        let deck = json!({
            "id": id, "name": name, "mod": modified, "usn": -1, "desc": "", "dyn": 0, "conf": 1,
            "collapsed": false, "extendNew": 0, "extendRev": 50, "lrnToday": [0, 0],
            "newToday": [0, 0], "revToday": [0, 0], "timeToday": [0, 0],
        });
        (id.to_string(), deck)
    };
    let all = decks.iter().map(|known| deck(known.id, &known.name));
    Value::Object(Map::from_iter(all.chain([deck(1, "Default")])))
}

/// The options of decks: the default ones.
pub(super) fn deck_options() -> Value {
    json!({ "1": {
        "id": 1, "name": "Default", "mod": 0, "usn": 0, "autoplay": true, "maxTaken": 60,
        "replayq": true, "timer": 0,
        "new": {
            "bury": true, "delays": [1, 10], "initialFactor": 2500, "ints": [1, 4, 7], "order": 1,
            "perDay": 20, "separate": true,
        },
        "lapse": { "delays": [10], "leechAction": 0, "leechFails": 8, "minInt": 1, "mult": 0 },
        "rev": {
            "bury": true, "ease4": 1.3, "fuzz": 0.05, "ivlFct": 1, "maxIvl": 36500, "minSpace": 1,
            "perDay": 100,
        },
    }})
}

/// The options of a collection.
pub(super) fn options(deck: i64) -> Value {
    json!({
        "activeDecks": [deck], "curDeck": deck, "curModel": ID.to_string(), "addToCur": true,
        "collapseTime": 1200, "dueCounts": true, "estTimes": true, "newBury": true, "newSpread": 0,
        "nextPos": 1, "sortBackwards": false, "sortType": "noteFld", "timeLim": 0,
    })
}
