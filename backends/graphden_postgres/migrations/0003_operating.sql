-- What operators set for a queue, and how much is taken from it.

-- A paused queue hands out nothing. Dead messages stay for `keep_dead_ms`; NULL is for ever.
ALTER TABLE graphden.queue
    ADD COLUMN paused_at timestamptz,
    ADD COLUMN keep_dead_ms double precision CHECK (keep_dead_ms >= 0);

-- How many messages a process took within ten seconds; written at most once a second.
CREATE TABLE graphden.queue_activity (
    queue_id integer NOT NULL,
    began_at timestamptz NOT NULL,
    consumer text NOT NULL,
    taken bigint NOT NULL,
    PRIMARY KEY (queue_id, began_at, consumer)
);
