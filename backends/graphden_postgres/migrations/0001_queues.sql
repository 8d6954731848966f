-- Durable queues.
--
-- A message is in exactly one of four places, told by which columns are set:
--   ready    position                 it may be claimed, lowest position first
--   delayed  due_at                   it becomes ready when it is due
--   claimed  position and lease       somebody has it until the lease's deadline
--   dead     died_at                  it stays until an operator decides
-- A claimed message keeps its position, so that one released unhandled takes its old place.

CREATE SCHEMA IF NOT EXISTS graphden;

CREATE TABLE graphden.queue (
    id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text COLLATE "C" NOT NULL UNIQUE CHECK (char_length(name) BETWEEN 1 AND 200),
    created_at timestamptz NOT NULL DEFAULT clock_timestamp()
);

-- One sequence for all queues: a position says only which of two messages became ready first.
CREATE SEQUENCE graphden.queue_position;

-- No foreign key to graphden.queue: its check would lock the queue's row once per publish, and
-- queue ids come from graphden.queue_id alone. `payload` is json, not jsonb, which rewrites
-- numbers (1e22, -0.0).
CREATE TABLE graphden.queue_message (
    id uuid PRIMARY KEY,
    queue_id integer NOT NULL,
    position bigint,
    due_at timestamptz,
    died_at timestamptz,
    lease uuid,
    attempts integer NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    payload json NOT NULL,
    error json,
    trace_id uuid,
    parent_execution_id uuid,
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    CONSTRAINT queue_message_place CHECK (
        num_nonnulls(position, due_at, died_at) = 1 AND (lease IS NULL OR position IS NOT NULL)
    )
);

CREATE INDEX queue_message_ready ON graphden.queue_message (queue_id, position)
    WHERE position IS NOT NULL AND lease IS NULL;
CREATE INDEX queue_message_delayed ON graphden.queue_message (queue_id, due_at)
    WHERE due_at IS NOT NULL;
CREATE INDEX queue_message_dead ON graphden.queue_message (queue_id, died_at)
    WHERE died_at IS NOT NULL;

-- One row per take. `messages` are those that this lease was the last to hold: a message that
-- is listed and no longer points back was settled under this very lease.
CREATE TABLE graphden.queue_lease (
    token uuid PRIMARY KEY,
    queue_id integer NOT NULL,
    messages uuid[] NOT NULL,
    deadline timestamptz NOT NULL,
    lapsed boolean NOT NULL,
    consumer text NOT NULL
);

CREATE INDEX queue_lease_deadline ON graphden.queue_lease (queue_id, deadline);

-- Who waits for work. Unlogged: a crash loses only hints, and idling must cost no disk flush.
CREATE UNLOGGED TABLE graphden.queue_idle (
    token uuid PRIMARY KEY,
    queue_id integer NOT NULL,
    idle_until timestamptz NOT NULL
);

CREATE INDEX queue_idle_queue ON graphden.queue_idle (queue_id, idle_until);

CREATE TABLE graphden.queue_key (
    queue_id integer NOT NULL,
    key text COLLATE "C" NOT NULL CHECK (char_length(key) BETWEEN 1 AND 200),
    message_id uuid NOT NULL,
    payload_digest bytea NOT NULL,
    expires_at timestamptz NOT NULL,
    PRIMARY KEY (queue_id, key)
);

CREATE INDEX queue_key_expires ON graphden.queue_key (expires_at);

-- The id of a queue, made at its first mention. Names are data: never folded, never spliced.
CREATE FUNCTION graphden.queue_id(queue_name text) RETURNS integer
LANGUAGE plpgsql AS $$
DECLARE
    found_id integer;
BEGIN
    LOOP
        SELECT queue.id INTO found_id FROM graphden.queue WHERE queue.name = queue_name;
        IF FOUND THEN
            RETURN found_id;
        END IF;
        INSERT INTO graphden.queue (name) VALUES (queue_name) ON CONFLICT DO NOTHING;
    END LOOP;
END
$$;

-- Stores a message, visible when the caller's transaction commits; returns the id it has.
-- With a key that was used before and has not expired it stores nothing and returns the first
-- message's id; with another payload it raises GD001, whose detail is that id.
CREATE FUNCTION graphden.queue_put(
    message_id uuid,
    put_queue_id integer,
    payload json,
    delay_ms double precision,
    trace_id uuid,
    parent_execution_id uuid,
    message_key text,
    digest bytea,
    key_lifetime interval
) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    first graphden.queue_key%ROWTYPE;
BEGIN
    IF message_key IS NOT NULL THEN
        INSERT INTO graphden.queue_key AS known
        VALUES (put_queue_id, message_key, message_id, digest, clock_timestamp() + key_lifetime)
        ON CONFLICT (queue_id, key) DO UPDATE
            SET message_id = excluded.message_id,
                payload_digest = excluded.payload_digest,
                expires_at = excluded.expires_at
            WHERE known.expires_at <= clock_timestamp();
        IF NOT FOUND THEN
            SELECT * INTO STRICT first FROM graphden.queue_key AS known
            WHERE known.queue_id = put_queue_id AND known.key = message_key;
            IF first.payload_digest <> digest THEN
                RAISE EXCEPTION 'this key was published with another payload'
                    USING ERRCODE = 'GD001', DETAIL = first.message_id::text;
            END IF;
            RETURN first.message_id;
        END IF;
    END IF;
    INSERT INTO graphden.queue_message
        (id, queue_id, position, due_at, payload, trace_id, parent_execution_id)
    VALUES (
        message_id,
        put_queue_id,
        CASE WHEN delay_ms <= 0 THEN nextval('graphden.queue_position') END,
        CASE WHEN delay_ms > 0
            THEN clock_timestamp() + make_interval(secs => delay_ms / 1000) END,
        payload,
        trace_id,
        parent_execution_id
    );
    RETURN message_id;
END
$$;

-- Wakes the consumers of a queue when somebody waits. Call it after the commit of what they are
-- to find: a consumer marks itself idle, commits and looks once more, so one of the two sees the
-- other. The channel is fixed and the payload a number, so no queue name can break either.
CREATE FUNCTION graphden.queue_wake(wake_queue_id integer) RETURNS void
LANGUAGE sql AS $$
    SELECT pg_notify('graphden_queue', wake_queue_id::text)
    WHERE EXISTS (
        SELECT FROM graphden.queue_idle
        WHERE queue_id = wake_queue_id AND idle_until > clock_timestamp()
    )
$$;

-- Publishes in a transaction of its own and wakes after it, in one round trip.
CREATE PROCEDURE graphden.queue_publish(
    INOUT message_id uuid,
    queue_name text,
    payload json,
    delay_ms double precision,
    trace_id uuid,
    parent_execution_id uuid,
    message_key text,
    digest bytea,
    key_lifetime interval
)
LANGUAGE plpgsql AS $$
DECLARE
    into_queue integer := graphden.queue_id(queue_name);
BEGIN
    message_id := graphden.queue_put(
        message_id, into_queue, payload, delay_ms,
        trace_id, parent_execution_id, message_key, digest, key_lifetime
    );
    COMMIT;
    PERFORM graphden.queue_wake(into_queue);
END
$$;

-- Publishes inside the caller's own transaction: there when it commits, gone when it rolls back.
-- It always notifies, since who is idle at the commit cannot be known now.
CREATE FUNCTION graphden.publish(queue text, payload json, delay_ms double precision DEFAULT 0)
RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    into_queue integer := graphden.queue_id(queue);
BEGIN
    IF delay_ms IS NULL OR NOT (delay_ms >= 0 AND delay_ms <= 315576000000) THEN
        RAISE EXCEPTION 'delay_ms must be 0 to 315576000000 (ten years), not %', delay_ms
            USING ERRCODE = 'invalid_parameter_value';
    END IF;
    PERFORM pg_notify('graphden_queue', into_queue::text);
    RETURN graphden.queue_put(
        gen_random_uuid(), into_queue, payload, delay_ms, NULL, NULL, NULL, NULL, NULL
    );
END
$$;
