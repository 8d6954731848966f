SELECT hash
FROM unnest(%(hashes)s::bytea[]) AS given (hash)
WHERE NOT EXISTS (SELECT FROM graphden.file_tree WHERE file_tree.hash = given.hash)
