PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE master (
    id INTEGER PRIMARY KEY,
    precedence INTEGER NOT NULL UNIQUE,     -- the lowest decides
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,                  -- empty if not known
    fingerprint TEXT NOT NULL               -- SHA-256 of the files it was read from
, date TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE position (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE IF NOT EXISTS "opening" (
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
CREATE TABLE alias (
    opening_id INTEGER NOT NULL REFERENCES opening (id) ON DELETE CASCADE,
    source TEXT NOT NULL,                   -- who calls it so
    eco TEXT,                               -- by which code, if that is said
    name TEXT NOT NULL,
    PRIMARY KEY (opening_id, source)
) STRICT;
CREATE TABLE repertoire (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    max_ply INTEGER NOT NULL,               -- games are counted up to here
    min_games INTEGER NOT NULL,             -- a move that was played is in the book if so many games have it,
    min_share REAL NOT NULL                 -- and such a share, from 0 to 1, of those that have its position
) STRICT;
INSERT INTO repertoire VALUES(1,'white','white',10,1,0.0);
INSERT INTO repertoire VALUES(2,'all','black',40,1,0.0);
CREATE TABLE repertoire_player (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (repertoire_id, name)
) STRICT, WITHOUT ROWID;
INSERT INTO repertoire_player VALUES(1,'Novak, Ana');
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
INSERT INTO game VALUES(1,1,X'd55cba93482f04559683b300691dccb7','Novak, Ana','Müller',1800,1900,'2021-05-13','1-0','https://lichess.org/abcdefgh',NULL,'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7');
INSERT INTO game VALUES(2,1,X'1767c2f8cf7c814c7dba92aef8e8716a','Novak, Ana','Horvat, Ivo',NULL,NULL,'2021-05','1/2-1/2','',NULL,'Nf3 Nc6 e4 e5 Ng1 Nb8 Nf3 Nc6 d4 exd4');
INSERT INTO game VALUES(3,1,X'7ba6a3f8bd773028bbdacb53fe2466fd','Novak, Ana','',NULL,NULL,'2022','*','',NULL,'e4 e5 Nf3 d6');
INSERT INTO game VALUES(4,1,X'a026f797c007ce7c62e71df8f26fa607','Novak, Ana','Horvat, Ivo',NULL,NULL,NULL,'0-1','','4k3/8/8/8/8/8/4P3/4K2R w K - 0 30','O-O Kd7 e4 Ke6');
INSERT INTO game VALUES(5,1,X'65e7337c12fbab17c7335c78200d14a5','Novak, Ana','Kos',NULL,NULL,NULL,'1-0','',NULL,'e4 c5');
INSERT INTO game VALUES(6,2,X'd55cba93482f04559683b300691dccb7','Novak, Ana','Müller',1800,1900,'2021-05-13','1-0','https://lichess.org/abcdefgh',NULL,'e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7 Re1 b5');
INSERT INTO game VALUES(7,2,X'1767c2f8cf7c814c7dba92aef8e8716a','Novak, Ana','Horvat, Ivo',NULL,NULL,'2021-05','1/2-1/2','',NULL,'Nf3 Nc6 e4 e5 Ng1 Nb8 Nf3 Nc6 d4 exd4');
INSERT INTO game VALUES(8,2,X'7ba6a3f8bd773028bbdacb53fe2466fd','Novak, Ana','',NULL,NULL,'2022','*','',NULL,'e4 e5 Nf3 d6');
INSERT INTO game VALUES(9,2,X'a026f797c007ce7c62e71df8f26fa607','Novak, Ana','Horvat, Ivo',NULL,NULL,NULL,'0-1','','4k3/8/8/8/8/8/4P3/4K2R w K - 0 30','O-O Kd7 e4 Ke6');
INSERT INTO game VALUES(10,2,X'65e7337c12fbab17c7335c78200d14a5','Novak, Ana','Kos',NULL,NULL,NULL,'1-0','',NULL,'e4 c5');
INSERT INTO game VALUES(11,2,X'3206f711812e7e6747b5f8e3ad13d845','Kos','Novak, Ana',NULL,NULL,NULL,'1-0','',NULL,'c4 e5');
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
INSERT INTO repertoire_position VALUES(1,1,'4k3/8/8/8/8/8/4P3/4K2R w K -',1,0,1,0,0,1);
INSERT INTO repertoire_position VALUES(2,1,'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -',0,1,3,2,0,0);
INSERT INTO repertoire_position VALUES(3,1,'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -',0,1,2,1,1,0);
INSERT INTO repertoire_position VALUES(4,1,'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -',1,1,4,2,1,0);
INSERT INTO repertoire_position VALUES(5,1,'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -',0,1,3,1,1,0);
INSERT INTO repertoire_position VALUES(6,1,'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -',0,1,3,1,1,0);
INSERT INTO repertoire_position VALUES(7,1,'r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq -',0,1,1,0,1,0);
INSERT INTO repertoire_position VALUES(8,1,'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -',0,1,1,1,0,0);
INSERT INTO repertoire_position VALUES(9,1,'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -',0,1,0,0,0,0);
INSERT INTO repertoire_position VALUES(10,2,'4k3/8/8/8/8/8/4P3/4K2R w K -',1,0,1,1,0,0);
INSERT INTO repertoire_position VALUES(11,2,'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -',0,0,3,0,0,2);
INSERT INTO repertoire_position VALUES(12,2,'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -',0,0,2,0,1,1);
INSERT INTO repertoire_position VALUES(13,2,'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -',1,0,5,0,1,3);
INSERT INTO repertoire_position VALUES(14,2,'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -',0,0,3,0,1,1);
INSERT INTO repertoire_position VALUES(15,2,'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -',0,0,3,0,1,1);
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
INSERT INTO played_move VALUES(1,'O-O',1,0,0,1,0,0,0,NULL,NULL,'[4]');
INSERT INTO played_move VALUES(2,'c5',1,1,0,0,0,0,0,NULL,NULL,'[5]');
INSERT INTO played_move VALUES(2,'e5',2,1,0,0,1,2,1900,'2021-05-13','2022','[3,1]');
INSERT INTO played_move VALUES(3,'Bb5',1,1,0,0,1,2,1900,'2021-05-13','2021-05-13','[1]');
INSERT INTO played_move VALUES(3,'Ng1',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO played_move VALUES(3,'d4',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO played_move VALUES(4,'Nf3',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO played_move VALUES(4,'e4',3,2,0,0,1,2,1900,'2021-05-13','2022','[3,1,5]');
INSERT INTO played_move VALUES(5,'Nc6',2,1,1,0,1,2,1900,'2021-05','2021-05-13','[1,2]');
INSERT INTO played_move VALUES(5,'d6',1,0,0,0,0,0,0,'2022','2022','[3]');
INSERT INTO played_move VALUES(6,'Nf3',3,1,1,0,1,2,1900,'2021-05','2022','[3,1,2]');
INSERT INTO played_move VALUES(7,'exd4',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO played_move VALUES(10,'O-O',1,1,0,0,0,0,0,NULL,NULL,'[9]');
INSERT INTO played_move VALUES(11,'c5',1,0,0,1,0,0,0,NULL,NULL,'[10]');
INSERT INTO played_move VALUES(11,'e5',2,0,0,1,1,0,1800,'2021-05-13','2022','[8,6]');
INSERT INTO played_move VALUES(12,'Bb5',1,0,0,1,1,0,1800,'2021-05-13','2021-05-13','[6]');
INSERT INTO played_move VALUES(12,'Ng1',1,0,1,0,0,0,0,'2021-05','2021-05','[7]');
INSERT INTO played_move VALUES(12,'d4',1,0,1,0,0,0,0,'2021-05','2021-05','[7]');
INSERT INTO played_move VALUES(13,'Nf3',1,0,1,0,0,0,0,'2021-05','2021-05','[7]');
INSERT INTO played_move VALUES(13,'c4',1,0,0,1,0,0,0,NULL,NULL,'[11]');
INSERT INTO played_move VALUES(13,'e4',3,0,0,2,1,0,1800,'2021-05-13','2022','[8,6,10]');
INSERT INTO played_move VALUES(14,'Nc6',2,0,1,1,1,0,1800,'2021-05','2021-05-13','[6,7]');
INSERT INTO played_move VALUES(14,'d6',1,0,0,0,0,0,0,'2022','2022','[8]');
INSERT INTO played_move VALUES(15,'Nf3',3,0,1,1,1,0,1800,'2021-05','2022','[8,6,7]');
CREATE TABLE prepared_move (
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT NOT NULL,
    ordinal INTEGER NOT NULL,               -- the main move has the lowest
    PRIMARY KEY (position_id, san)
) STRICT, WITHOUT ROWID;
INSERT INTO prepared_move VALUES(2,'c5',2);
INSERT INTO prepared_move VALUES(2,'e5',1);
INSERT INTO prepared_move VALUES(3,'d4',1);
INSERT INTO prepared_move VALUES(4,'e4',1);
INSERT INTO prepared_move VALUES(5,'Nc6',1);
INSERT INTO prepared_move VALUES(6,'Nf3',1);
INSERT INTO prepared_move VALUES(8,'Nf3',1);
CREATE TABLE repertoire_note (
    id INTEGER PRIMARY KEY,
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT,                               -- NULL if it is about the position
    source TEXT NOT NULL,                   -- the chapter
    nags TEXT NOT NULL,                     -- numeric annotation glyphs, as a JSON array
    comment TEXT NOT NULL
) STRICT;
INSERT INTO repertoire_note VALUES(1,4,NULL,'Notes #1','[]','Start');
INSERT INTO repertoire_note VALUES(2,4,'e4','Notes #1','[1]','King');
INSERT INTO repertoire_note VALUES(3,2,'c5','Notes #1','[6]','');
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    max_ply INTEGER NOT NULL                -- positions are found up to here; moves are kept to the end
) STRICT;
CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    games INTEGER NOT NULL,
    counted_games INTEGER NOT NULL,         -- those with a result that begin in the initial position
    first_date TEXT,                        -- 2021-05-13, 2021-05 or 2021; NULL if no game has one
    last_date TEXT,
    bytes INTEGER NOT NULL                  -- the sum of its blobs
) STRICT;
CREATE TABLE segment_blob (
    id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,                     -- header, dictionary, facts, moves, tags, positions or ids
    number INTEGER NOT NULL,                -- among those of its kind, from 0
    bytes BLOB NOT NULL,
    UNIQUE (segment_id, kind, number)
) STRICT;
DELETE FROM sqlite_sequence;
CREATE INDEX opening_by_position ON opening (position_id);
CREATE INDEX opening_by_eco ON opening (eco);
CREATE VIEW all_openings AS
SELECT position.key, opening.eco, opening.name, opening.line, opening.plies, master.name AS master,
    row_number() OVER (
        PARTITION BY opening.position_id ORDER BY master.precedence, opening.ordinal
    ) AS rank
FROM opening
JOIN master ON master.id = opening.master_id
JOIN position ON position.id = opening.position_id;
CREATE VIEW named_position AS
SELECT key, eco, name, line, plies, master FROM all_openings WHERE rank = 1;
CREATE INDEX repertoire_position_kept ON repertoire_position (repertoire_id)
    WHERE is_prepared OR is_start;
CREATE INDEX repertoire_note_by_position ON repertoire_note (position_id);
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
CREATE INDEX segment_by_collection ON segment (collection_id);
CREATE VIEW all_collections AS
SELECT collection.name, collection.max_ply, coalesce(sum(segment.games), 0) AS games,
    coalesce(sum(segment.counted_games), 0) AS counted_games, count(segment.id) AS segments,
    coalesce(sum(segment.bytes), 0) AS bytes, min(segment.first_date) AS first_date,
    max(segment.last_date) AS last_date
FROM collection
LEFT JOIN segment ON segment.collection_id = collection.id
GROUP BY collection.id;
COMMIT;
