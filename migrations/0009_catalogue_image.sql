-- The catalogue as the program uses it, so that a start neither reads nor plays the lines of the
-- openings.
--
-- The tables of masters and openings decide; the image follows from them. eco writes it in the
-- transaction in which it changes them. Whoever changes them by other means deletes it, by these
-- triggers (eco itself runs no triggers of a file); until eco changes the file again, the tables
-- are read. An image of another version is not read.

CREATE TABLE catalogue_image (
    version INTEGER PRIMARY KEY,            -- of the layout of the bytes
    bytes BLOB NOT NULL                     -- with a checksum; src/catalogue/image.rs says of what
) STRICT;

CREATE TRIGGER master_insert AFTER INSERT ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER master_update AFTER UPDATE ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER master_delete AFTER DELETE ON master BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_insert AFTER INSERT ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_update AFTER UPDATE ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER position_delete AFTER DELETE ON position BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_insert AFTER INSERT ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_update AFTER UPDATE ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER opening_delete AFTER DELETE ON opening BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_insert AFTER INSERT ON alias BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_update AFTER UPDATE ON alias BEGIN DELETE FROM catalogue_image; END;
CREATE TRIGGER alias_delete AFTER DELETE ON alias BEGIN DELETE FROM catalogue_image; END;
