-- A chapter keeps the tags of its game, and the half-move clock of the position it begins with, so
-- that an export says of it what it came with.

-- A JSON array of names and values: [["StudyName", "Openings"], ["ChapterName", "Sicilian"]]
ALTER TABLE chapter ADD COLUMN tags TEXT NOT NULL DEFAULT '[]';

-- The half-moves since the last capture or pawn move, where lines begin.
ALTER TABLE chapter_start ADD COLUMN halfmoves INTEGER NOT NULL DEFAULT 0;
