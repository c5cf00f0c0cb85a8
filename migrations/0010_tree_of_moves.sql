-- Moves that were played say where they lead, as prepared ones do, so that SQL can walk the tree of
-- both; and a collection says which games are the same.

ALTER TABLE collection ADD COLUMN same_game TEXT NOT NULL DEFAULT 'strict'
    CHECK (same_game IN ('strict', 'moves'));

-- The fewest half-moves after which a game, and a prepared line, has the position; NULL if none has
-- it.
ALTER TABLE repertoire_position ADD COLUMN played_ply INTEGER;
ALTER TABLE repertoire_position ADD COLUMN prepared_ply INTEGER;

-- The row of the next position, if it has one. There is no foreign key: it would need an index as
-- long as the table. Eco fills these columns in the rows that older versions wrote.
ALTER TABLE played_move ADD COLUMN uci TEXT;
ALTER TABLE played_move ADD COLUMN leads_to INTEGER;

DROP VIEW repertoire_move;

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
    iif(instr(position.key, ' w '), 'white', 'black') AS turn, played.uci, next.key AS leads_to,
    1 + min(
        coalesce(position.played_ply, position.prepared_ply),
        coalesce(position.prepared_ply, position.played_ply)
    ) AS ply
FROM repertoire
JOIN repertoire_position AS position ON position.repertoire_id = repertoire.id
JOIN played_move AS played ON played.position_id = position.id
LEFT JOIN repertoire_position AS next
    ON next.id = played.leads_to AND next.repertoire_id = repertoire.id
UNION ALL
SELECT repertoire.name, repertoire.color, position.key, prepared.san, 1, 0, 0, 0, 0, NULL, NULL, NULL,
    NULL, iif(instr(position.key, ' w '), 'white', 'black'), prepared.uci, next.key,
    1 + min(
        coalesce(position.played_ply, position.prepared_ply),
        coalesce(position.prepared_ply, position.played_ply)
    )
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
