-- A position database: masters, collections, repertoires and what is trained of them.
--
-- A position is known by its text key (FEN fields 1 to 4, en passant square only if a legal capture
-- exists), so the file outlives any hash.

-- Masters, the positions they name, and what they call them.

CREATE TABLE master (
    id INTEGER PRIMARY KEY,
    precedence INTEGER NOT NULL UNIQUE,     -- the lowest decides
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,                  -- empty if not known
    date TEXT NOT NULL,                     -- YYYY-MM-DD; empty if not known
    fingerprint TEXT NOT NULL               -- SHA-256 of the files it was read from
) STRICT;

CREATE TABLE position (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;

CREATE TABLE opening (
    id INTEGER PRIMARY KEY,
    master_id INTEGER NOT NULL REFERENCES master (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- its place in the master, from 1
    position_id INTEGER NOT NULL REFERENCES position (id),
    eco TEXT NOT NULL,                      -- empty if it has none
    name TEXT NOT NULL,
    line TEXT,                              -- the moves, as PGN movetext; NULL if only the position is known
    plies INTEGER,                          -- how many
    source_file TEXT NOT NULL,              -- where it was read
    source_line INTEGER NOT NULL,
    UNIQUE (master_id, ordinal)
) STRICT;

CREATE INDEX opening_by_position ON opening (position_id);
CREATE INDEX opening_by_eco ON opening (eco);

-- What an opening is called elsewhere, as far as its master says.
CREATE TABLE alias (
    opening_id INTEGER NOT NULL REFERENCES opening (id) ON DELETE CASCADE,
    source TEXT NOT NULL,                   -- who calls it so
    eco TEXT,                               -- by which code, if that is said
    name TEXT NOT NULL,
    PRIMARY KEY (opening_id, source)
) STRICT;

-- All openings with their masters. At each position the row with rank 1 decides.
CREATE VIEW all_openings AS
SELECT position.key, opening.eco, opening.name, opening.line, opening.plies, master.name AS master,
    row_number() OVER (
        PARTITION BY opening.position_id ORDER BY master.precedence, opening.ordinal
    ) AS rank
FROM opening
JOIN master ON master.id = opening.master_id
JOIN position ON position.id = opening.position_id;

-- One row a position: the opening that decides there.
CREATE VIEW named_position AS
SELECT key, eco, name, line, plies, master FROM all_openings WHERE rank = 1;

-- The catalogue as the program uses it, so that a start neither reads nor plays the lines of the
-- openings.
--
-- The tables of masters and openings decide; the image follows from them. eco writes it in the
-- transaction in which it changes them. Whoever changes them by other means deletes it, by these
-- triggers (eco itself runs no triggers of a file); until eco changes the file again, the tables
-- are read. An image of another version is not read.

CREATE TABLE catalogue_image (
    version INTEGER PRIMARY KEY,            -- of the layout of the bytes
    bytes BLOB NOT NULL                     -- with a checksum; src/catalogue/image.rs says of what
) STRICT;

CREATE TRIGGER master_insert AFTER INSERT ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER master_update AFTER UPDATE ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER master_delete AFTER DELETE ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_insert AFTER INSERT ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_update AFTER UPDATE ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_delete AFTER DELETE ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_insert AFTER INSERT ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_update AFTER UPDATE ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_delete AFTER DELETE ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_insert AFTER INSERT ON alias BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_update AFTER UPDATE ON alias BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_delete AFTER DELETE ON alias BEGIN DELETE FROM catalogue_image; END;

-- Repertoires: a side, whose games they are, and how moves are chosen. What was played is counted
-- from the games, which are a collection of its own, whenever a repertoire is read.

CREATE TABLE repertoire (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    max_ply INTEGER NOT NULL,               -- games are counted up to here
    mine TEXT,                              -- which of the moves that were played are the book, for its
    theirs TEXT,                            -- side and the other: top:1, share:20%, min-games:3, or
                                            -- several with commas; NULL is the usual rule
    -- 1 for what was removed last, which can be brought back. It counts for nothing else.
    is_removed INTEGER NOT NULL DEFAULT 0 CHECK (is_removed IN (0, 1))
) STRICT;

CREATE UNIQUE INDEX repertoire_by_name ON repertoire (name) WHERE is_removed = 0;

-- Whose games they are; everybody's, if nobody is named.
CREATE TABLE repertoire_player (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (repertoire_id, name)
) STRICT, WITHOUT ROWID;

-- What is prepared knows where it is from: a source with its chapters. So a source that is added
-- again takes the place of what it was.
CREATE TABLE prepared_source (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- those of the lowest come first in the book
    name TEXT NOT NULL,                     -- a file or a study; empty if none is known
    UNIQUE (repertoire_id, name)
) STRICT;

CREATE TABLE chapter (
    id INTEGER PRIMARY KEY,
    source_id INTEGER NOT NULL REFERENCES prepared_source (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- its place in the source, from 1
    identity TEXT NOT NULL,                 -- its address, or its name, or its number in the source
    study TEXT NOT NULL,                    -- empty if it has none
    name TEXT NOT NULL,
    tags TEXT NOT NULL,                     -- of its game, as a JSON array of names and values
    UNIQUE (source_id, ordinal)
) STRICT;

-- Where the lines of a chapter begin.
CREATE TABLE chapter_start (
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    ordinal INTEGER NOT NULL,
    move_number INTEGER NOT NULL,           -- of the first move
    halfmoves INTEGER NOT NULL,             -- since the last capture or pawn move
    PRIMARY KEY (chapter_id, key)
) STRICT, WITHOUT ROWID;

-- A move has a row in each chapter that prepares it.
CREATE TABLE prepared_move (
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    key TEXT NOT NULL,                      -- of the position before it
    san TEXT NOT NULL,
    ordinal INTEGER NOT NULL,               -- the main move of the chapter has the lowest; 0 comes
                                            -- before the moves of other chapters, too
    PRIMARY KEY (chapter_id, key, san)
) STRICT, WITHOUT ROWID;

-- What a chapter says of a move, or of a position.
CREATE TABLE repertoire_note (
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    san TEXT NOT NULL,                      -- empty if it is about the position
    ordinal INTEGER NOT NULL,               -- from 1
    source TEXT NOT NULL,                   -- the chapter, as people know it
    nags TEXT NOT NULL,                     -- numeric annotation glyphs, as a JSON array
    comment TEXT NOT NULL,
    PRIMARY KEY (chapter_id, key, san, ordinal)
) STRICT, WITHOUT ROWID;

-- What was edited move by move. It is done again when a source is added again.
CREATE TABLE repertoire_edit (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- the order in which they are done, from 1
    key TEXT NOT NULL,                      -- of the position before the move
    move TEXT NOT NULL,                     -- in UCI notation
    what TEXT NOT NULL,                     -- cut, main, comment, glyph or no-glyphs
    said TEXT NOT NULL,                     -- the comment, or the number of the glyph
    replaced TEXT NOT NULL,                 -- what the source had instead
    PRIMARY KEY (repertoire_id, ordinal)
) STRICT, WITHOUT ROWID;

-- The changes of repertoires that can be undone, the last one first.
CREATE TABLE repertoire_change (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    made_at INTEGER NOT NULL,               -- in seconds: datetime(made_at, 'unixepoch')
    what TEXT NOT NULL,                     -- in words
    first_arrival INTEGER,                  -- games with this number of arrival, or a greater one, came
                                            -- with it; NULL if none did
    rows BLOB NOT NULL                      -- those that it removed and added, packed, with a checksum
) STRICT;

CREATE INDEX repertoire_change_by_repertoire ON repertoire_change (repertoire_id);

-- What is trained: a card for each position that was asked, and a log of all answers. Positions are
-- kept by their keys, whatever becomes of what is prepared.

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

-- The card follows from the rows of its position. They are only added, but for the last one, which
-- can be taken back on its day.
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

-- Positions that are not asked for a while.
CREATE TABLE training_pause (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    until INTEGER,                          -- buried until then, with what follows from it;
                                            -- NULL: suspended, it alone, until it is resumed
    PRIMARY KEY (repertoire_id, key)
) STRICT, WITHOUT ROWID;

-- Collections: games kept whole, so that any position can be asked what was played there.

CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    max_ply INTEGER NOT NULL,               -- positions are found up to here; moves are kept to the end
    same_game TEXT NOT NULL DEFAULT 'strict' CHECK (same_game IN ('strict', 'moves')),
    -- The games of a repertoire are a collection that no list names; NULL for others.
    repertoire_id INTEGER UNIQUE REFERENCES repertoire (id) ON DELETE CASCADE,
    checksum INTEGER NOT NULL DEFAULT 0     -- CRC-32 of this row and of those of its segments
) STRICT;

-- Part of a collection: at most two million games, packed. What is in it is never changed;
-- a new segment takes its place, and no number is used twice.
CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    games INTEGER NOT NULL,
    counted_games INTEGER NOT NULL,         -- those with a result that begin in the initial position
    first_date TEXT,                        -- 2021-05-13, 2021-05 or 2021; NULL if no game has one
    last_date TEXT,
    bytes INTEGER NOT NULL                  -- the sum of its blobs
) STRICT;

CREATE INDEX segment_by_collection ON segment (collection_id);

-- What segments are made of, as numbers and text packed by eco.
CREATE TABLE segment_blob (
    id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,                     -- header, dictionary, facts, labels, traces,
                                            -- moves, tags, positions or ids
    number INTEGER NOT NULL,                -- among those of its kind, from 0
    checksum INTEGER NOT NULL,              -- CRC-32 of the row: src/store/collection/checksum.rs
    bytes BLOB NOT NULL,
    UNIQUE (segment_id, kind, number)
) STRICT;

-- One row a collection.
CREATE VIEW all_collections AS
SELECT collection.name, collection.max_ply, coalesce(sum(segment.games), 0) AS games,
    coalesce(sum(segment.counted_games), 0) AS counted_games, count(segment.id) AS segments,
    coalesce(sum(segment.bytes), 0) AS bytes, min(segment.first_date) AS first_date,
    max(segment.last_date) AS last_date
FROM collection
LEFT JOIN segment ON segment.collection_id = collection.id
WHERE collection.repertoire_id IS NULL
GROUP BY collection.id;
