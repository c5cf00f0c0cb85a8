-- Repertoires: the games they are counted from, the positions with what was played, and prepared moves
-- with what is said of them.

CREATE TABLE repertoire (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    max_ply INTEGER NOT NULL,               -- games are counted up to here
    min_games INTEGER NOT NULL,             -- a move that was played is in the book if so many games have it,
    min_share REAL NOT NULL                 -- and such a share, from 0 to 1, of those that have its position
) STRICT;

-- Whose games they are; everybody's, if nobody is named.
CREATE TABLE repertoire_player (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (repertoire_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE game (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    fingerprint BLOB NOT NULL,              -- of its content: no game is counted twice
    white TEXT NOT NULL,
    black TEXT NOT NULL,
    white_rating INTEGER,
    black_rating INTEGER,
    date TEXT,                              -- 2021-05-13, 2021-05 or 2021; NULL if not known
    result TEXT NOT NULL,                   -- 1-0, 0-1, 1/2-1/2 or *
    site TEXT NOT NULL,
    start TEXT,                             -- FEN; NULL for the initial position
    moves TEXT NOT NULL,                    -- as they are written, up to max_ply
    UNIQUE (repertoire_id, fingerprint)
) STRICT;

-- The positions that are prepared, that games begin with, or that two games have at least. Any other
-- position of a single game is found by the moves of that game. Wins and losses are those of the repertoire's side.
CREATE TABLE repertoire_position (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    key TEXT NOT NULL,
    is_start INTEGER NOT NULL DEFAULT 0,    -- 1 if games or prepared lines begin here
    is_prepared INTEGER NOT NULL DEFAULT 0, -- 1 if a prepared line has it
    games INTEGER NOT NULL DEFAULT 0,
    wins INTEGER NOT NULL DEFAULT 0,
    draws INTEGER NOT NULL DEFAULT 0,
    losses INTEGER NOT NULL DEFAULT 0,
    UNIQUE (repertoire_id, key)
) STRICT;

-- The few that are stored whatever the number of their games, among the many.
CREATE INDEX repertoire_position_kept ON repertoire_position (repertoire_id)
    WHERE is_prepared OR is_start;

CREATE TABLE played_move (
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    draws INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    rated_games INTEGER NOT NULL,           -- those with a result and the opponent's rating,
    rated_half_points INTEGER NOT NULL,     -- what was scored in them,
    rating_sum INTEGER NOT NULL,            -- and the sum of the ratings
    first_date TEXT,
    last_date TEXT,
    examples TEXT NOT NULL,                 -- ids of the latest games, as a JSON array
    PRIMARY KEY (position_id, san)
) STRICT, WITHOUT ROWID;

CREATE TABLE prepared_move (
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT NOT NULL,
    ordinal INTEGER NOT NULL,               -- the main move has the lowest
    PRIMARY KEY (position_id, san)
) STRICT, WITHOUT ROWID;

-- What a chapter says of a move, or of a position.
CREATE TABLE repertoire_note (
    id INTEGER PRIMARY KEY,
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT,                               -- NULL if it is about the position
    source TEXT NOT NULL,                   -- the chapter
    nags TEXT NOT NULL,                     -- numeric annotation glyphs, as a JSON array
    comment TEXT NOT NULL
) STRICT;

CREATE INDEX repertoire_note_by_position ON repertoire_note (position_id);

-- One row a move, prepared or played.
CREATE VIEW repertoire_move AS
SELECT repertoire.name AS repertoire, repertoire.color, position.key, moves.san,
    prepared.ordinal IS NOT NULL AS prepared,
    coalesce(played.games, 0) AS games, coalesce(played.wins, 0) AS wins,
    coalesce(played.draws, 0) AS draws, coalesce(played.losses, 0) AS losses,
    (played.wins + played.draws / 2.0) / nullif(played.wins + played.draws + played.losses, 0) AS score,
    1.0 * played.rating_sum / nullif(played.rated_games, 0) AS average_rating,
    played.first_date, played.last_date
FROM (
    SELECT position_id, san FROM played_move UNION SELECT position_id, san FROM prepared_move
) AS moves
JOIN repertoire_position AS position ON position.id = moves.position_id
JOIN repertoire ON repertoire.id = position.repertoire_id
LEFT JOIN played_move AS played
    ON played.position_id = moves.position_id AND played.san = moves.san
LEFT JOIN prepared_move AS prepared
    ON prepared.position_id = moves.position_id AND prepared.san = moves.san;
