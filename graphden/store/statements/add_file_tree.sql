-- Arrays of arrays must be rectangular, so each tree comes in a row of its own.
INSERT INTO graphden.file_tree (hash, names, pieces)
VALUES (%(hash)s, %(names)s, %(pieces)s)
ON CONFLICT (hash) DO NOTHING
