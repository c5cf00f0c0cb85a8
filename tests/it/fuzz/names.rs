//! Searches: whatever is typed finds openings or none, each of which the search says that it
//! matches and by what, and means what it means when it is understood once more.

use eco::{
    catalogue::{Catalogue, Query},
    classify::{Question, QuestionFault, find_openings},
};

pub fn check_bytes(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (catalogue, query) = (Catalogue::builtin(), Query::new(&text));
    let understood = catalogue.understand(&query);
    assert_eq!(catalogue.understand(&understood), understood);
    let found = catalogue.search(&query);
    assert_eq!(catalogue.search(&understood), found);
    for line in &found {
        assert!(understood.matches(&line.opening), "{text:?} finds {}", line.opening);
        assert!(understood.found_by(&line.opening).is_some());
    }
    let (_, of_moves) = find_openings(catalogue, &query);
    assert!(of_moves == query || of_moves == understood);
    let Ok(question) = Question::read::<QuestionFault>(&text, &[], || Ok(catalogue)) else {
        return;
    };
    assert_eq!(text.parse::<Question>().is_err(), question.correction().is_some());
    if let Some(correction) = question.correction() {
        assert!(question.notes().iter().any(|note| note == correction));
    }
}
