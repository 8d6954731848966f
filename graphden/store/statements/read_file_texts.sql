-- The pieces of some files, in their order.
SELECT tree.hash, row_text.content
FROM graphden.file_tree AS tree
CROSS JOIN LATERAL unnest(tree.pieces) WITH ORDINALITY AS piece (hash, position)
JOIN graphden.row_text ON row_text.hash = piece.hash
WHERE tree.hash = ANY(%(hashes)s::bytea[])
ORDER BY tree.hash, piece.position
