PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE alias (
    opening_id INTEGER NOT NULL REFERENCES opening (id) ON DELETE CASCADE,
    source TEXT NOT NULL,                   -- who calls it so
    eco TEXT,                               -- by which code, if that is said
    name TEXT NOT NULL,
    PRIMARY KEY (opening_id, source)
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
INSERT INTO "chapter" VALUES(1,1,1,'1','','Notes #1');
CREATE TABLE chapter_start (
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,
    move_number INTEGER NOT NULL,           -- of the first move
    PRIMARY KEY (chapter_id, position_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "chapter_start" VALUES(1,4,1,1);
CREATE TABLE collection (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    max_ply INTEGER NOT NULL                -- positions are found up to here; moves are kept to the end
, repertoire_id INTEGER REFERENCES repertoire (id) ON DELETE CASCADE) STRICT;
INSERT INTO "collection" VALUES(1,' repertoire 1',0,1);
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
INSERT INTO "game" VALUES(1,1,-3072375704039521195,'Novak, Ana','Müller',1800,1900,'2021-05-13','1-0','Rapid','https://lichess.org/abcdefgh','600+5','https://lichess.org/abcdefgh');
INSERT INTO "game" VALUES(2,1,1686530959362261324,'Novak, Ana','Horvat, Ivo',NULL,NULL,'2021-05','1/2-1/2','','','',NULL);
INSERT INTO "game" VALUES(3,1,8909989201525026856,'Novak, Ana','',NULL,NULL,'2022','*','','','',NULL);
INSERT INTO "game" VALUES(4,1,-6906560747392217476,'Novak, Ana','Horvat, Ivo',NULL,NULL,NULL,'0-1','','','',NULL);
INSERT INTO "game" VALUES(5,1,7342894325438327575,'Novak, Ana','Kos',NULL,NULL,NULL,'1-0','','','',NULL);
INSERT INTO "game" VALUES(6,1,3604840206310473319,'Kos','Novak, Ana',NULL,NULL,NULL,'1-0','','','',NULL);
CREATE TABLE master (
    id INTEGER PRIMARY KEY,
    precedence INTEGER NOT NULL UNIQUE,     -- the lowest decides
    name TEXT NOT NULL UNIQUE,
    version TEXT NOT NULL,                  -- empty if not known
    fingerprint TEXT NOT NULL               -- SHA-256 of the files it was read from
, date TEXT NOT NULL DEFAULT '') STRICT;
CREATE TABLE "opening" (
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
INSERT INTO "played_move" VALUES(1,'O-O',1,0,0,1,0,0,0,NULL,NULL,'[4]');
INSERT INTO "played_move" VALUES(2,'c5',1,1,0,0,0,0,0,NULL,NULL,'[5]');
INSERT INTO "played_move" VALUES(2,'e5',2,1,0,0,1,2,1900,'2021-05-13','2022','[3,1]');
INSERT INTO "played_move" VALUES(3,'Bb5',1,1,0,0,1,2,1900,'2021-05-13','2021-05-13','[1]');
INSERT INTO "played_move" VALUES(3,'Ng1',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO "played_move" VALUES(3,'d4',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO "played_move" VALUES(4,'Nf3',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
INSERT INTO "played_move" VALUES(4,'c4',1,1,0,0,0,0,0,NULL,NULL,'[6]');
INSERT INTO "played_move" VALUES(4,'e4',3,2,0,0,1,2,1900,'2021-05-13','2022','[3,1,5]');
INSERT INTO "played_move" VALUES(5,'Nc6',2,1,1,0,1,2,1900,'2021-05','2021-05-13','[1,2]');
INSERT INTO "played_move" VALUES(5,'d6',1,0,0,0,0,0,0,'2022','2022','[3]');
INSERT INTO "played_move" VALUES(6,'Nf3',3,1,1,0,1,2,1900,'2021-05','2022','[3,1,2]');
INSERT INTO "played_move" VALUES(7,'exd4',1,0,1,0,0,0,0,'2021-05','2021-05','[2]');
CREATE TABLE position (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE
) STRICT;
CREATE TABLE prepared_move (
    position_id INTEGER NOT NULL REFERENCES repertoire_position (id) ON DELETE CASCADE,
    san TEXT NOT NULL,
    chapter_id INTEGER NOT NULL REFERENCES chapter (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- the main move of the chapter has the lowest
    uci TEXT,                               -- NULL, as leads_to, if an older eco wrote it
    leads_to INTEGER REFERENCES repertoire_position (id) ON DELETE SET NULL,
    PRIMARY KEY (position_id, san, chapter_id)
) STRICT, WITHOUT ROWID;
INSERT INTO "prepared_move" VALUES(2,'c5',1,2,'c7c5',8);
INSERT INTO "prepared_move" VALUES(2,'e5',1,1,'e7e5',6);
INSERT INTO "prepared_move" VALUES(3,'d4',1,1,'d2d4',7);
INSERT INTO "prepared_move" VALUES(4,'e4',1,1,'e2e4',2);
INSERT INTO "prepared_move" VALUES(5,'Nc6',1,1,'b8c6',3);
INSERT INTO "prepared_move" VALUES(6,'Nf3',1,1,'g1f3',5);
INSERT INTO "prepared_move" VALUES(8,'Nf3',1,1,'g1f3',9);
CREATE TABLE prepared_source (
    id INTEGER PRIMARY KEY,
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    ordinal INTEGER NOT NULL,               -- those of the lowest come first in the book
    name TEXT NOT NULL,                     -- a file or a study; empty if none is known
    UNIQUE (repertoire_id, name)
) STRICT;
INSERT INTO "prepared_source" VALUES(1,1,1,'repertoires-schema-4-notes.pgn');
CREATE TABLE repertoire (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    color TEXT NOT NULL CHECK (color IN ('white', 'black')),
    max_ply INTEGER NOT NULL,               -- games are counted up to here
    min_games INTEGER NOT NULL,             -- a move that was played is in the book if so many games have it,
    min_share REAL NOT NULL                 -- and such a share, from 0 to 1, of those that have its position
) STRICT;
INSERT INTO "repertoire" VALUES(1,'r','white',10,1,0.0);
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
INSERT INTO "repertoire_note" VALUES(1,4,NULL,1,'Notes #1','[]','Start');
INSERT INTO "repertoire_note" VALUES(2,4,'e4',1,'Notes #1','[1]','King');
INSERT INTO "repertoire_note" VALUES(3,2,'c5',1,'Notes #1','[6]','');
CREATE TABLE repertoire_player (
    repertoire_id INTEGER NOT NULL REFERENCES repertoire (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    PRIMARY KEY (repertoire_id, name)
) STRICT, WITHOUT ROWID;
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
INSERT INTO "repertoire_position" VALUES(1,1,'4k3/8/8/8/8/8/4P3/4K2R w K -',1,0,1,0,0,1);
INSERT INTO "repertoire_position" VALUES(2,1,'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -',0,1,3,2,0,0);
INSERT INTO "repertoire_position" VALUES(3,1,'r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -',0,1,2,1,1,0);
INSERT INTO "repertoire_position" VALUES(4,1,'rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -',1,1,5,3,1,0);
INSERT INTO "repertoire_position" VALUES(5,1,'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -',0,1,3,1,1,0);
INSERT INTO "repertoire_position" VALUES(6,1,'rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -',0,1,3,1,1,0);
INSERT INTO "repertoire_position" VALUES(7,1,'r1bqkbnr/pppp1ppp/2n5/4p3/3PP3/5N2/PPP2PPP/RNBQKB1R b KQkq -',0,1,1,0,1,0);
INSERT INTO "repertoire_position" VALUES(8,1,'rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -',0,1,1,1,0,0);
INSERT INTO "repertoire_position" VALUES(9,1,'rnbqkbnr/pp1ppppp/8/2p5/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq -',0,1,0,0,0,0);
CREATE TABLE segment (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    collection_id INTEGER NOT NULL REFERENCES collection (id) ON DELETE CASCADE,
    games INTEGER NOT NULL,
    counted_games INTEGER NOT NULL,         -- those with a result that begin in the initial position
    first_date TEXT,                        -- 2021-05-13, 2021-05 or 2021; NULL if no game has one
    last_date TEXT,
    bytes INTEGER NOT NULL                  -- the sum of its blobs
) STRICT;
INSERT INTO "segment" VALUES(1,1,6,4,'2021-05','2022',1013);
CREATE TABLE segment_blob (
    id INTEGER PRIMARY KEY,
    segment_id INTEGER NOT NULL REFERENCES segment (id) ON DELETE CASCADE,
    kind TEXT NOT NULL,                     -- header, dictionary, facts, moves, tags, positions or ids
    number INTEGER NOT NULL,                -- among those of its kind, from 0
    bytes BLOB NOT NULL,
    UNIQUE (segment_id, kind, number)
) STRICT;
INSERT INTO "segment_blob" VALUES(1,1,'positions',0,X'200101010101010101010101010101010101010101010101010E010101010101010000000000000000000000000000000000000000000000000100000000000000000000000C0100000000000000');
INSERT INTO "segment_blob" VALUES(2,1,'positions',1,X'20010101010136010101010101010101010101010101010101010101010101010100000000000100000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000801C32010000000000000000000000000000000000000000000000000000');
INSERT INTO "segment_blob" VALUES(3,1,'ids',0,X'013C060000000000C00D0000000000000C000000000000000000000000001700000000005401000000000000000004010000000000000000000000001801');
INSERT INTO "segment_blob" VALUES(4,1,'moves',0,X'013D1212000200000204010B00000A00000400000400212109111109112921420440286E425C0929211111292629210D021A0001021111291004044B65330A');
INSERT INTO "segment_blob" VALUES(5,1,'tags',0,X'01514F4F0601010200030000090861626364656667680106053630302B35020B0A3F3F3F3F2E3F3F2E3F3F03020131042221346B332F382F382F382F382F382F3450332F344B32522077204B202D2030203330');
INSERT INTO "segment_blob" VALUES(6,1,'dictionary',0,X'060605060202010125250A4E6F76616B2C20416E610B486F727661742C2049766F034B6F73074DC3BC6C6C6572013F');
INSERT INTO "segment_blob" VALUES(7,1,'dictionary',1,X'0303020501070700055261706964');
INSERT INTO "segment_blob" VALUES(8,1,'dictionary',2,X'03030205011616001468747470733A2F2F6C6963686573732E6F72672F');
INSERT INTO "segment_blob" VALUES(9,1,'dictionary',3,X'02020106010100');
INSERT INTO "segment_blob" VALUES(10,1,'dictionary',4,X'0707060101010101017F7B28B52FFD207F950300F2C6191E506F73204EE726893F2121F6D106E6BFCDE0CCD16AF99222EBF48EEC1901DCA7B04F2CA271E0F80C7D1C9F5772E88B878E15D9380702B3C3B743D9380806B09157B2099D3A3AFC7B64412D66276CA1AF51BA41A9D40A441B1B2E7D2E2B75432D15482AC312040200ED249E2431CD');
INSERT INTO "segment_blob" VALUES(11,1,'facts',0,X'06060101110203000306060000CDC000C006060000D4D400D5060600000C0C000C020606000008000000060600000700000001060602000000000002060600006C00000006060000070000000106060002030101040106060000010000000106060000010000000001060605040001030201060602030C0A04040106060000010000000106060A12122A1B1260603206F711812E7E6747B5F8E3AD13D84565E7337C12FBAB17C7335C78200D14A5D55CBA93482F04559683B300691DCCB71767C2F8CF7C814C7DBA92AEF8E8716AA026F797C007CE7C62E71DF8F26FA6077BA6A3F8BD773028BBDACB53FE2466FD');
INSERT INTO "segment_blob" VALUES(12,1,'dictionary',5,X'05050402020101BE017128B52FFD20BE45030032C5131B60A7EA235A4A64CC86A204C81F25C3D0025101ED02EAD397BBC9144B1DD728A585A8F7B1A4892A4F43CBB92C214246FB27BBF6B41DDFFA5B6EC2B177FCCD88C33EC53F084056A200C0FE6DC82C240800B01812AE5C6DA521D08C4B6802BEF6DCB5AB2401');
INSERT INTO "segment_blob" VALUES(13,1,'header',0,X'0106040500060300000300050000000000');
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
CREATE INDEX segment_by_collection ON segment (collection_id);
CREATE UNIQUE INDEX collection_of_repertoire ON collection (repertoire_id);
CREATE VIEW all_collections AS
SELECT collection.name, collection.max_ply, coalesce(sum(segment.games), 0) AS games,
    coalesce(sum(segment.counted_games), 0) AS counted_games, count(segment.id) AS segments,
    coalesce(sum(segment.bytes), 0) AS bytes, min(segment.first_date) AS first_date,
    max(segment.last_date) AS last_date
FROM collection
LEFT JOIN segment ON segment.collection_id = collection.id
WHERE collection.repertoire_id IS NULL
GROUP BY collection.id;
CREATE INDEX chapter_start_by_position ON chapter_start (position_id);
CREATE INDEX prepared_move_by_chapter ON prepared_move (chapter_id);
CREATE INDEX prepared_move_by_leads_to ON prepared_move (leads_to);
CREATE INDEX repertoire_note_by_move ON repertoire_note (position_id, san, chapter_id);
CREATE INDEX repertoire_note_by_chapter ON repertoire_note (chapter_id);
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
CREATE INDEX game_by_white ON game (white);
CREATE INDEX game_by_black ON game (black);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('segment',1);
COMMIT;
