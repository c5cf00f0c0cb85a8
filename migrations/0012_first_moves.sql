-- Games that begin in another position than the initial one are numbered from where they begin.

-- The number of the first move of games that begin here, the least of several; NULL if none does,
-- or if an older eco wrote the row and it was not built anew.
ALTER TABLE repertoire_position ADD COLUMN first_move INTEGER;
