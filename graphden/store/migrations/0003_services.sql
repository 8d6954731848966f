-- What should run, and what does. Neither is versioned: a service names its branch, and outlives
-- it.

CREATE TABLE graphden.service (
    id           uuid        PRIMARY KEY DEFAULT gen_random_uuid(),
    row          text        NOT NULL,
    branch       text        NOT NULL,
    kind         text        NOT NULL CHECK (kind IN ('singleton', 'pool', 'per-process')),
    slots        int         NOT NULL CHECK (slots BETWEEN 1 AND 1000),
    restart      text        NOT NULL CHECK (restart IN ('always', 'on-failure', 'never')),
    enabled      boolean     NOT NULL,
    -- Grows when the service is enabled: what has ended for good may then begin again.
    generation   bigint      NOT NULL DEFAULT 1,
    -- The revision that it runs, the one before, and one that could not be started.
    revision     bytea       REFERENCES graphden.revision,
    previous     bytea       REFERENCES graphden.revision,
    broken       bytea       REFERENCES graphden.revision,
    broken_error text,
    created_by   text        NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- A process that runs instances. It is gone when another process has seen that its time was
-- over: whatever it does then is refused.
CREATE TABLE graphden.service_process (
    id           uuid        PRIMARY KEY,
    host         text        NOT NULL,
    pid          int         NOT NULL,
    backend      int         NOT NULL,
    started_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    heartbeat_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    gone         boolean     NOT NULL DEFAULT false
);

CREATE TABLE graphden.service_instance (
    id         uuid        PRIMARY KEY,
    service    uuid        NOT NULL REFERENCES graphden.service ON DELETE CASCADE,
    slot       int         NOT NULL,
    process    uuid        NOT NULL REFERENCES graphden.service_process ON DELETE CASCADE,
    revision   bytea       NOT NULL REFERENCES graphden.revision,
    generation bigint      NOT NULL,
    state      text        NOT NULL DEFAULT 'running'
                           CHECK (state IN ('running', 'draining', 'ended', 'failed')),
    -- Whether it may claim messages no more: it drains, or was replaced.
    fenced     boolean     NOT NULL DEFAULT false,
    restarts   int         NOT NULL,
    last_error text,
    started_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at   timestamptz
);
CREATE INDEX service_instance_service ON graphden.service_instance (service, slot);
CREATE INDEX service_instance_process ON graphden.service_instance (process);

-- Whether an instance may claim messages now. A claim asks in its own statement, so that no
-- message is claimed after a process was declared gone, or the instance fenced.
CREATE FUNCTION graphden.may_claim(instance uuid) RETURNS boolean
LANGUAGE sql STABLE
BEGIN ATOMIC
    SELECT EXISTS (
        SELECT
        FROM graphden.service_instance AS i
        JOIN graphden.service_process AS p ON p.id = i.process
        WHERE i.id = instance AND NOT i.fenced AND NOT p.gone
    );
END;
