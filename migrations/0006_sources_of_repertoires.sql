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
    UNIQUE (source_id, ordinal)
) STRICT;

-- Where the lines of chapters begin.
CREATE TABLE chapter_start (
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    move_number INTEGER NOT NULL,           -- of the first move
    PRIMARY KEY (chapter_id, position_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX chapter_start_by_position ON chapter_start (position_id);

DROP VIEW repertoire_move;
CREATE TABLE prepared_move_6 AS SELECT * FROM prepared_move;
CREATE TABLE repertoire_note_6 AS SELECT * FROM repertoire_note;
DROP TABLE prepared_move;
DROP TABLE repertoire_note;

-- A move has a row for each chapter that prepares it.
CREATE TABLE prepared_move (
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT NOT NULL,
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- the main move of the chapter has the lowest
    uci TEXT,                               -- NULL, as leads_to, if an older eco wrote it
    leads_to INTEGER REFERENCES repertoire_position (id) ON DELETE SET NULL,
    PRIMARY KEY (position_id, san, chapter_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX prepared_move_by_chapter ON prepared_move (chapter_id);
CREATE INDEX prepared_move_by_leads_to ON prepared_move (leads_to);

-- What a chapter says of a move, or of a position. It goes with the move.
CREATE TABLE repertoire_note (
    id INTEGER PRIMARY KEY,
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT,                               -- NULL if it is about the position
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    source TEXT NOT NULL,                   -- the chapter, as people know it
    nags TEXT NOT NULL,                     -- numeric annotation glyphs, as a JSON array
    comment TEXT NOT NULL,
    FOREIGN KEY (position_id, san, chapter_id)
        REFERENCES prepared_move (position_id, san, chapter_id) ON DELETE CASCADE
) STRICT;

CREATE INDEX repertoire_note_by_move ON repertoire_note (position_id, san, chapter_id);
CREATE INDEX repertoire_note_by_chapter ON repertoire_note (chapter_id);

-- No source is known of what is there: it is one chapter of a source without a name.
INSERT INTO prepared_source (repertoire_id, ordinal, name)
SELECT DISTINCT repertoire_id, 1, '' FROM repertoire_position WHERE is_prepared;

INSERT INTO chapter (source_id, ordinal, identity, study, name)
SELECT id, 1, '1', '', '' FROM prepared_source;

INSERT INTO chapter_start (chapter_id, position_id, ordinal, move_number)
SELECT chapter.id, position.id, position.id, 1
FROM repertoire_position AS position
JOIN prepared_source AS source ON source.repertoire_id = position.repertoire_id
JOIN chapter ON chapter.source_id = source.id
WHERE position.is_prepared AND position.is_start;

-- From here on is_start says that games begin in a position.
UPDATE repertoire_position SET is_start = 0
WHERE is_prepared AND is_start
    AND (games = 0 OR key <> 'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -');

INSERT INTO prepared_move (position_id, san, chapter_id, ordinal)
SELECT move.position_id, move.san, chapter.id, move.ordinal
FROM prepared_move_6 AS move
JOIN repertoire_position AS position ON position.id = move.position_id
JOIN prepared_source AS source ON source.repertoire_id = position.repertoire_id
JOIN chapter ON chapter.source_id = source.id;

INSERT INTO repertoire_note (id, position_id, san, chapter_id, source, nags, comment)
SELECT note.id, note.position_id, note.san, chapter.id, note.source, note.nags, note.comment
FROM repertoire_note_6 AS note
JOIN repertoire_position AS position ON position.id = note.position_id
JOIN prepared_source AS source ON source.repertoire_id = position.repertoire_id
JOIN chapter ON chapter.source_id = source.id
WHERE note.san IS NULL OR EXISTS (
    SELECT * FROM prepared_move_6 AS move
    WHERE move.position_id = note.position_id AND move.san = note.san
);

DROP TABLE repertoire_note_6;
DROP TABLE prepared_move_6;

-- One row a move, prepared or played. A position is found by its key, without a look at all moves.
CREATE VIEW repertoire_move AS
SELECT repertoire.name AS repertoire, repertoire.color, position.key, played.san,
    EXISTS (
        SELECT * FROM prepared_move AS prepared
        WHERE prepared.position_id = position.id AND prepared.san = played.san
    ) AS prepared,
    played.games, played.wins, played.draws, played.losses,
    (played.wins + played.draws / 2.0) / nullif(played.wins + played.draws + played.losses, 0) AS score,
    1.0 * played.rating_sum / nullif(played.rated_games, 0) AS average_rating,
    played.first_date, played.last_date,
    iif(instr(position.key, ' w '), 'white', 'black') AS turn,
    (
        SELECT min(prepared.uci) FROM prepared_move AS prepared
        WHERE prepared.position_id = position.id AND prepared.san = played.san
    ) AS uci,
    (
        SELECT min(next.key) FROM prepared_move AS prepared
        JOIN repertoire_position AS next ON next.id = prepared.leads_to
        WHERE prepared.position_id = position.id AND prepared.san = played.san
    ) AS leads_to
FROM repertoire
JOIN repertoire_position AS position ON position.repertoire_id = repertoire.id
JOIN played_move AS played ON played.position_id = position.id
UNION ALL
SELECT repertoire.name, repertoire.color, position.key, prepared.san, 1, 0, 0, 0, 0, NULL, NULL, NULL,
    NULL, iif(instr(position.key, ' w '), 'white', 'black'), prepared.uci, next.key
FROM repertoire
JOIN repertoire_position AS position ON position.repertoire_id = repertoire.id
JOIN prepared_move AS prepared ON prepared.position_id = position.id
LEFT JOIN repertoire_position AS next ON next.id = prepared.leads_to
WHERE NOT EXISTS (
    SELECT * FROM played_move AS played
    WHERE played.position_id = position.id AND played.san = prepared.san
)
AND NOT EXISTS (
    SELECT * FROM prepared_move AS other
    WHERE other.position_id = position.id AND other.san = prepared.san
        AND other.chapter_id < prepared.chapter_id
);
