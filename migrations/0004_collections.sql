-- Collections: games kept whole, so that any position can be asked what was played there.

CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    max_ply INTEGER NOT NULL                -- positions are found up to here; moves are kept to the end
) STRICT;

-- Part of a collection: at most a quarter of a million games, packed. What is in it is never changed;
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
    kind TEXT NOT NULL,                     -- header, dictionary, facts, moves, tags, positions or ids
    number INTEGER NOT NULL,                -- among those of its kind, from 0
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
GROUP BY collection.id;
