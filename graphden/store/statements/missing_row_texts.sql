SELECT hash
FROM unnest(%(hashes)s::bytea[]) AS given (hash)
WHERE NOT EXISTS (SELECT FROM graphden.row_text WHERE row_text.hash = given.hash)
