-- The games of repertoires are kept as those of collections are: whole, and once, in segments. What a
-- repertoire has as rows is counted from there, for people and for a look at one position.

-- The games of a repertoire are a collection of its own, of which no list speaks; NULL for others.
ALTER TABLE collection ADD COLUMN repertoire_id INTEGER REFERENCES repertoire (id) ON DELETE CASCADE;
CREATE UNIQUE INDEX collection_of_repertoire ON collection (repertoire_id);

DROP VIEW all_collections;

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

-- Eco moves the games of these rows to segments, and drops the table.
CREATE TABLE game_4 AS SELECT * FROM game;
DROP TABLE game;

-- What there is to say of a game of a repertoire. Its moves and all of its tags are in segments.
CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    identity INTEGER NOT NULL,              -- of its content: no game is counted twice
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_rating INTEGER,
    black_rating INTEGER,
    date TEXT,                              -- 2021-05-13, 2021-05 or 2021; NULL if not known
    result TEXT NOT NULL,                   -- 1-0, 0-1, 1/2-1/2 or *
    event TEXT NOT NULL,
    site TEXT NOT NULL,
    time_control TEXT NOT NULL,             -- as PGN writes it, such as 180+2
    link TEXT,                              -- its address on the web; NULL if not known
    UNIQUE (repertoire_id, identity)
) STRICT;

CREATE INDEX game_by_white ON game (white);
CREATE INDEX game_by_black ON game (black);
