-- In the order of the hashes: two pushes that share pieces then wait for each other, and do not
-- lock crosswise.
INSERT INTO graphden.row_text (hash, content)
SELECT hash, content
FROM unnest(%(hashes)s::bytea[], %(contents)s::bytea[]) AS given (hash, content)
ORDER BY hash
ON CONFLICT (hash) DO NOTHING
