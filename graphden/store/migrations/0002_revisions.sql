-- Revisions of graphs, for ever as they are, by the hash of what they hold.

-- A row, or the text between two rows: stored once, however many revisions have it. Bytes, for
-- text in EDN may hold what text in PostgreSQL may not.
CREATE TABLE graphden.row_text (
    hash    bytea PRIMARY KEY CHECK (length(hash) = 32),
    content bytea NOT NULL
);

-- A file of rows: its pieces in their order, each a row by its full name or, named '', a text
-- between rows.
CREATE TABLE graphden.file_tree (
    hash   bytea   PRIMARY KEY CHECK (length(hash) = 32),
    names  text[]  NOT NULL,
    pieces bytea[] NOT NULL,
    CHECK (cardinality(names) = cardinality(pieces))
);

CREATE TABLE graphden.revision (
    id        bytea       PRIMARY KEY CHECK (length(id) = 32),
    files     text[]      NOT NULL,
    trees     bytea[]     NOT NULL,
    parents   bytea[]     NOT NULL,
    message   text        NOT NULL,
    pushed_by text        NOT NULL,
    pushed_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CHECK (cardinality(files) = cardinality(trees))
);

-- A name that moves from revision to revision. A new branch may have none yet.
CREATE TABLE graphden.branch (
    name     text        PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 200),
    revision bytea       REFERENCES graphden.revision,
    moved_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
