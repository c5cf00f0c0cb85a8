-- How many of the moves that were played are the book, for each side: top:1, share:20%, min-games:3, or
-- several with commas. NULL is what the program usually takes. The columns min_games and min_share, which
-- said it for both sides, are not read any more.

ALTER TABLE repertoire ADD COLUMN mine TEXT;
ALTER TABLE repertoire ADD COLUMN theirs TEXT;

-- All moves were what nobody had asked for.
UPDATE repertoire SET
    mine = 'share:' || min_share || ',min-games:' || min_games,
    theirs = 'share:' || min_share || ',min-games:' || min_games
WHERE min_games > 1 OR min_share > 0;
