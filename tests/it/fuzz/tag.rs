//! Any bytes as PGN, tagged: nothing but managed tags changes, the bytes do not depend on how they
//! were read, and tagging again changes nothing. The last byte chooses the options.

use super::Facts;
use eco::{
    catalogue::Catalogue,
    classify::Classifier,
    pgn::{BlockOptions, Game, PushReader, Tag, games},
    pipeline,
    tag::{ExtendedTag, Names, Outcome, Policy, TagOptions, Tagger, Unknown},
};

const MANAGED: [&str; 9] = [
    "ECO",
    "Opening",
    "Variation",
    "SubVariation",
    "MoveOrderECO",
    "MoveOrderOpening",
    "MoveOrderVariation",
    "MoveOrderSubVariation",
    "ECOSource",
];

pub fn check_bytes(bytes: &[u8]) {
    let (choice, bytes) = bytes.split_last().map_or((0, bytes), |(last, rest)| (*last, rest));
    let options = options(choice);
    let extended = options.extended.as_ref().map(ToString::to_string);
    let tagger = Tagger::new(Classifier::new(Catalogue::builtin()), options.clone());
    let tagged = tag(&tagger, bytes);
    assert_eq!(text(&tag(&tagger, &tagged)), text(&tagged), "tagged twice");
    assert!(pushed(&tagger, bytes) == tagged, "in other blocks");
    let managed = |tag: &Tag<'_>| {
        let mut names = MANAGED.into_iter().chain(extended.as_deref());
        names.any(|name| name.as_bytes() == tag.name)
    };
    let loses_all_tags =
        |game: &Game<'_>| game.tags().next().is_some() && game.tags().all(|tag| managed(&tag));
    // What has lost its tags may be read as part of another game.
    if options.policy == Policy::Strip && games(bytes).any(|game| loses_all_tags(&game)) {
        return;
    }
    let (before, after): (Vec<_>, Vec<_>) = (games(bytes).collect(), games(&tagged).collect());
    assert_eq!(before.len(), after.len(), "{}", text(&tagged));
    for (old, new) in before.iter().zip(&after) {
        check(old, new, managed);
        let planned = tagger.tag_game(old);
        let is_changed = matches!(planned.plan.outcome, Outcome::Changed(_));
        assert_eq!(is_changed, planned.bytes != old.bytes());
        if is_changed && options.policy == Policy::Strip {
            assert!(!new.tags().any(|tag| managed(&tag)));
        }
    }
}

fn options(choice: u8) -> TagOptions {
    let bit = |bit: u8| choice >> bit & 1 == 1;
    let policies = [Policy::All, Policy::Missing, Policy::Changed, Policy::Strip];
    let extended = || "ScidECO".parse::<ExtendedTag>().expect("a good name");
    // A file that ends with a line end is tagged as by default.
    let mut options = TagOptions::default();
    if choice != b'\n' {
        options.policy = policies[usize::from(choice & 3)];
        options.names = if bit(2) { Names::Split } else { Names::Full };
        options.unknown = if bit(3) { Unknown::Clear } else { Unknown::Keep };
        options.extended = bit(4).then(extended);
        options.with_move_order = bit(5);
        options.with_mark = bit(6);
    }
    options
}

fn tag(tagger: &Tagger<'_>, bytes: &[u8]) -> Vec<u8> {
    let mut tagged = Vec::new();
    let changes = pipeline::tag_pgn(tagger, bytes, &mut tagged, &pipeline::Options::default());
    let changes = changes.expect("memory can be read and written");
    assert_eq!(changes.games, games(bytes).count() as u64);
    assert!(changes.changed > 0 || tagged == bytes);
    tagged
}

fn pushed(tagger: &Tagger<'_>, bytes: &[u8]) -> Vec<u8> {
    let mut tagged = Vec::new();
    let mut reader = PushReader::new(BlockOptions { block_size: 50, ..BlockOptions::default() });
    for part in bytes.chunks(17) {
        if let Some(block) = reader.push(part) {
            tagged.extend(tagger.tag_block(block, |_, _| {}).to_vec());
        }
    }
    tagged.extend(tagger.tag_block(reader.finish(), |_, _| {}).to_vec());
    tagged
}

/// Other tags, moves, comments and the verdict are what they were.
fn check(old: &Game<'_>, new: &Game<'_>, managed: impl Fn(&Tag<'_>) -> bool) {
    let others = |game: &Game<'_>| {
        let tags = game.tags().filter(|tag| !managed(tag));
        tags.map(|tag| (text(tag.name), text(tag.raw_value), tag.fault)).collect::<Vec<_>>()
    };
    assert_eq!(others(old), others(new));
    assert!(old.tags().into_movetext().eq(new.tags().into_movetext()), "the moves changed");
    let verdict = |game: &Game<'_>| {
        Facts::of(&Classifier::new(Catalogue::builtin()).classify(game).verdict).named
    };
    assert_eq!(verdict(old), verdict(new));
}

fn text(bytes: &[u8]) -> String {
    bytes.escape_ascii().to_string()
}
