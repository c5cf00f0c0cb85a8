-- Masters of every format: openings that are positions without a line, other names of an opening, and
-- the day of a master.

ALTER TABLE master ADD COLUMN date TEXT NOT NULL DEFAULT ''; -- YYYY-MM-DD; empty if not known

DROP VIEW named_position;

CREATE TABLE opening_2 (
    id INTEGER PRIMARY KEY,
    master_id INTEGER NOT NULL REFERENCES master (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- its place in the master, from 1
    position_id INTEGER NOT NULL REFERENCES position (id),
    eco TEXT NOT NULL,
    name TEXT NOT NULL,
    line TEXT,                              -- the moves, as PGN movetext; NULL if only the position is known
    plies INTEGER,                          -- how many
    source_file TEXT NOT NULL,              -- where it was read
    source_line INTEGER NOT NULL,
    UNIQUE (master_id, ordinal)
) STRICT;

INSERT INTO opening_2
SELECT id, master_id, ordinal, position_id, eco, name, line, plies, source_file, source_line FROM opening;

DROP TABLE opening;
ALTER TABLE opening_2 RENAME TO opening;
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
