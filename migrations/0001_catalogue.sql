-- Masters, the positions they name, and what they call them. A position is known by its text key
-- (FEN fields 1 to 4, en passant square only if a legal capture exists), so the file outlives any hash.

CREATE TABLE master (
    id INTEGER PRIMARY KEY,
    precedence INTEGER NOT NULL UNIQUE,     -- the lowest decides
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,                  -- empty if not known
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
    eco TEXT NOT NULL,
    name TEXT NOT NULL,
    line TEXT NOT NULL,                     -- the moves, as PGN movetext
    plies INTEGER NOT NULL,                 -- how many
    source_file TEXT NOT NULL,              -- where it was read
    source_line INTEGER NOT NULL,
    UNIQUE (master_id, ordinal)
) STRICT;

CREATE INDEX opening_by_position ON opening (position_id);
CREATE INDEX opening_by_eco ON opening (eco);

-- One row a position: the opening that decides there.
CREATE VIEW named_position AS
SELECT key, eco, name, line, plies, master
FROM (
    SELECT position.key, opening.eco, opening.name, opening.line, opening.plies,
        master.name AS master,
        row_number() OVER (
            PARTITION BY opening.position_id ORDER BY master.precedence, opening.ordinal
        ) AS place
    FROM opening
    JOIN master ON master.id = opening.master_id
    JOIN position ON position.id = opening.position_id
)
WHERE place = 1;
