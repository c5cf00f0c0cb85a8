-- What is trained: a card for each position that was asked, and a log of all answers. Positions are
-- kept by their keys: the rows of repertoire_position come and go with what is prepared.

CREATE TABLE training_card (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    answer TEXT NOT NULL,                   -- the move that was learned, in UCI notation
    stability REAL NOT NULL,                -- days until the probability of recall is 90 %
    difficulty REAL NOT NULL,               -- from 1 to 10
    reviewed_at INTEGER NOT NULL,           -- in seconds: datetime(reviewed_at, 'unixepoch')
    due_at INTEGER NOT NULL,
    reviews INTEGER NOT NULL,               -- answers since this move was new
    lapses INTEGER NOT NULL,                -- wrong ones, but for the first
    PRIMARY KEY (repertoire_id, key)
) STRICT, WITHOUT ROWID;

-- Rows are only added. The card follows from those of its position.
CREATE TABLE training_review (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    reviewed_at INTEGER NOT NULL,
    is_first INTEGER NOT NULL,              -- 1 if the move was new
    rating INTEGER NOT NULL,                -- 1 again, 2 hard, 3 good, 4 easy
    answer TEXT NOT NULL,                   -- the move that was learned
    given TEXT                              -- the move that was played; NULL if none was
) STRICT;

CREATE INDEX training_review_by_position ON training_review (repertoire_id, key);
