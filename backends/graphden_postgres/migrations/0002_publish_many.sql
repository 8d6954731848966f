-- Publishing in one statement, one message or many, and from SQL with the limits and refusals that Python's publish has.

-- Gives a key to a message and returns NULL; or, while an earlier one has it, that one's id.
-- With another payload it raises GD001, whose detail is that id and whose hint the item's number.
CREATE FUNCTION graphden.queue_take_key(
    message_id uuid,
    put_queue_id integer,
    message_key text,
    digest bytea,
    key_lifetime interval,
    item bigint
) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    first graphden.queue_key%ROWTYPE;
BEGIN
    INSERT INTO graphden.queue_key AS known
    VALUES (put_queue_id, message_key, message_id, digest, clock_timestamp() + key_lifetime)
    ON CONFLICT (queue_id, key) DO UPDATE
        SET message_id = excluded.message_id,
            payload_digest = excluded.payload_digest,
            expires_at = excluded.expires_at
        WHERE known.expires_at <= clock_timestamp();
    IF FOUND THEN
        RETURN NULL;
    END IF;
    SELECT * INTO STRICT first FROM graphden.queue_key AS known
    WHERE known.queue_id = put_queue_id AND known.key = message_key;
    IF first.payload_digest <> digest THEN
        RAISE EXCEPTION 'this key was published with another payload'
            USING ERRCODE = 'GD001', DETAIL = first.message_id::text, HINT = item::text;
    END IF;
    RETURN first.message_id;
END
$$;

-- Stores messages in their order, visible when the caller's transaction commits; returns the
-- ids they have. `message_keys` and `digests` are NULL, or hold one for each.
CREATE FUNCTION graphden.queue_put_many(
    message_ids uuid[],
    put_queue_id integer,
    payloads json[],
    delay_ms double precision,
    trace_id uuid,
    parent_execution_id uuid,
    message_keys text[],
    digests bytea[],
    key_lifetime interval
) RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    due timestamptz := CASE WHEN delay_ms > 0
        THEN clock_timestamp() + make_interval(secs => delay_ms / 1000) END;
    firsts uuid[];
    keyed record;
BEGIN
    IF message_keys IS NULL THEN
        INSERT INTO graphden.queue_message
            (id, queue_id, position, due_at, payload, trace_id, parent_execution_id)
        SELECT
            given.id, put_queue_id,
            CASE WHEN due IS NULL THEN nextval('graphden.queue_position') END,
            due, given.payload, queue_put_many.trace_id, queue_put_many.parent_execution_id
        FROM unnest(message_ids, payloads) AS given (id, payload);
        RETURN message_ids;
    END IF;
    firsts := array_fill(NULL::uuid, ARRAY[cardinality(message_ids)]);
    -- One order for all callers: two that share keys must not wait for each other.
    FOR keyed IN
        SELECT given.key, given.number
        FROM unnest(message_keys) WITH ORDINALITY AS given (key, number)
        ORDER BY given.key COLLATE "C", given.number
    LOOP
        firsts[keyed.number] := graphden.queue_take_key(
            message_ids[keyed.number], put_queue_id, keyed.key,
            digests[keyed.number], key_lifetime, keyed.number - 1
        );
    END LOOP;
    INSERT INTO graphden.queue_message
        (id, queue_id, position, due_at, payload, trace_id, parent_execution_id)
    SELECT
        given.id, put_queue_id,
        CASE WHEN due IS NULL THEN nextval('graphden.queue_position') END,
        due, given.payload, queue_put_many.trace_id, queue_put_many.parent_execution_id
    FROM unnest(message_ids, payloads, firsts) AS given (id, payload, first)
    WHERE given.first IS NULL;
    RETURN ARRAY(
        SELECT coalesce(given.first, given.id)
        FROM unnest(message_ids, firsts) WITH ORDINALITY AS given (id, first, number)
        ORDER BY given.number
    );
END
$$;

-- Notifies, at the commit of this short transaction, when somebody waits for the queue.
--
-- A consumer that is about to wait takes the same lock exclusively while it marks itself idle,
-- and then looks once more. So of a publisher and a consumer one always sees the other: the
-- mark was committed before this lock was given, or the message before that one. The lock is
-- the last thing to wait for, so nobody waits for a message with it in hand.
CREATE FUNCTION graphden.queue_tell(told_queue_id integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_advisory_xact_lock_shared(1735549296, told_queue_id);
    IF EXISTS (
        SELECT FROM graphden.queue_idle
        WHERE queue_id = told_queue_id AND idle_until > clock_timestamp()
    ) THEN
        PERFORM pg_notify('graphden_queue', told_queue_id::text);
    END IF;
END
$$;

-- Publishes one message without a key, in one statement and commit of its own.
CREATE FUNCTION graphden.queue_send(
    message_id uuid,
    queue_name text,
    payload json,
    delay_ms double precision,
    trace_id uuid,
    parent_execution_id uuid
) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    into_queue integer;
BEGIN
    SELECT queue.id INTO into_queue FROM graphden.queue WHERE queue.name = queue_name;
    IF NOT FOUND THEN
        into_queue := graphden.queue_id(queue_name);
    END IF;
    INSERT INTO graphden.queue_message
        (id, queue_id, position, due_at, payload, trace_id, parent_execution_id)
    VALUES (
        message_id,
        into_queue,
        CASE WHEN delay_ms <= 0 THEN nextval('graphden.queue_position') END,
        CASE WHEN delay_ms > 0
            THEN clock_timestamp() + make_interval(secs => delay_ms / 1000) END,
        payload,
        trace_id,
        parent_execution_id
    );
    -- As queue_tell does; a call of it would cost every publish a few per cent.
    PERFORM pg_advisory_xact_lock_shared(1735549296, into_queue);
    IF EXISTS (
        SELECT FROM graphden.queue_idle
        WHERE queue_id = into_queue AND idle_until > clock_timestamp()
    ) THEN
        PERFORM pg_notify('graphden_queue', into_queue::text);
    END IF;
    RETURN message_id;
END
$$;

-- Publishes messages, all or none, in one statement and commit of their own.
CREATE FUNCTION graphden.queue_send_many(
    message_ids uuid[],
    queue_name text,
    payloads json[],
    delay_ms double precision,
    trace_id uuid,
    parent_execution_id uuid,
    message_keys text[],
    digests bytea[],
    key_lifetime interval
) RETURNS uuid[]
LANGUAGE plpgsql AS $$
DECLARE
    into_queue integer := graphden.queue_id(queue_name);
    stored uuid[] := graphden.queue_put_many(
        message_ids, into_queue, payloads, delay_ms,
        trace_id, parent_execution_id, message_keys, digests, key_lifetime
    );
BEGIN
    PERFORM graphden.queue_tell(into_queue);
    RETURN stored;
END
$$;

-- Why a payload cannot be published, or NULL: what no reader of ours could read back.
CREATE FUNCTION graphden.queue_payload_flaw(payload json) RETURNS text
LANGUAGE plpgsql STABLE SET standard_conforming_strings = on AS $$
DECLARE
    content text := payload::text;
    escapes text;
    bones text;
BEGIN
    IF payload IS NULL THEN
        RETURN 'the payload must not be NULL; the JSON value is ''null''';
    END IF;
    IF octet_length(content) > 1048576 THEN
        RETURN format('the payload has %s bytes; a message carries at most 1048576',
            octet_length(content));
    END IF;
    IF strpos(content, '\u') > 0 THEN
        -- Without escaped backslashes and whole pairs, what is left of \u is to be looked at.
        escapes := regexp_replace(
            replace(content, '\\', ''),
            '\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}', '', 'g'
        );
        IF escapes ~ '\\u0000' THEN
            RETURN 'the payload holds a NUL character, which cannot be stored';
        END IF;
        IF escapes ~ '\\u[dD][89a-fA-F]' THEN
            RETURN 'the payload holds half of a surrogate pair, which is not text';
        END IF;
    END IF;
    bones := regexp_replace(content, '"([^"\\]|\\.)*"', '', 'g');
    IF bones ~ '[0-9][.eE]' THEN
        BEGIN
            PERFORM number[1]::double precision
            FROM regexp_matches(bones, '-?[0-9]+(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?', 'g')
                AS number
            WHERE number[1] ~ '[.eE]';
        EXCEPTION WHEN numeric_value_out_of_range THEN
            RETURN 'the payload holds a number that does not fit a float';
        END;
    END IF;
    IF length(bones) - length(translate(bones, '[{', '')) > 500 AND (
        SELECT max(depth) FROM (
            SELECT sum(CASE WHEN mark[1] IN ('[', '{') THEN 1 ELSE -1 END)
                OVER (ORDER BY place) AS depth
            FROM regexp_matches(bones, '[][{}]', 'g') WITH ORDINALITY AS marks (mark, place)
        ) AS depths
    ) > 500 THEN
        RETURN 'the payload is nested deeper than 500 levels';
    END IF;
    RETURN NULL;
END
$$;

-- What two equal payloads share, whatever the order of their keys: a hash of the hashes of all
-- scalars and empty collections with the ways that lead to them. graphden_contract.payloads
-- computes the same.
CREATE FUNCTION graphden.queue_payload_digest(payload json) RETURNS bytea
LANGUAGE sql STABLE SET standard_conforming_strings = on AS $$
    WITH RECURSIVE node (way, value) AS (
        SELECT ''::bytea, payload
        UNION ALL
        SELECT sha256(node.way || convert_to(child.step, 'UTF8')), child.value
        FROM node
        CROSS JOIN LATERAL (
            (
                -- Of equal keys the last one counts.
                SELECT DISTINCT ON (field.key COLLATE "C") '.' || field.key, field.value
                FROM json_each(
                    CASE WHEN json_typeof(node.value) = 'object' THEN node.value ELSE '{}' END
                ) WITH ORDINALITY AS field (key, value, place)
                ORDER BY field.key COLLATE "C", field.place DESC
            )
            UNION ALL
            SELECT '#' || (item.place - 1), item.value
            FROM json_array_elements(
                CASE WHEN json_typeof(node.value) = 'array' THEN node.value ELSE '[]' END
            ) WITH ORDINALITY AS item (value, place)
        ) AS child (step, value)
    ),
    scalar (way, content) AS (
        SELECT way, CASE json_typeof(value)
            WHEN 'string' THEN 's' || (value #>> '{}')
            WHEN 'number' THEN CASE
                WHEN value #>> '{}' ~ '[.eE]' THEN
                    'f' || encode(float8send((value #>> '{}')::double precision), 'hex')
                WHEN value #>> '{}' = '-0' THEN 'i0'
                ELSE 'i' || (value #>> '{}')
            END
            WHEN 'object' THEN CASE WHEN value::text ~ '^\s*{\s*}\s*$' THEN 'o' END
            WHEN 'array' THEN CASE WHEN value::text ~ '^\s*\[\s*]\s*$' THEN 'a' END
            ELSE coalesce(value #>> '{}', 'null')
        END
        FROM node
    ),
    leaf (digest) AS (
        SELECT sha256(way || '='::bytea || convert_to(content, 'UTF8'))
        FROM scalar WHERE content IS NOT NULL
    )
    SELECT sha256(string_agg(digest, ''::bytea ORDER BY digest)) FROM leaf
$$;

-- Publishes inside the caller's own transaction: there when it commits, gone when it rolls back.
-- It always notifies, since who is idle at the commit cannot be known now. Raises 22023 for what
-- is refused, GD001 for a key that another payload has.
DROP FUNCTION graphden.publish(text, json, double precision);
CREATE FUNCTION graphden.publish(
    queue text,
    payload json,
    delay_ms double precision DEFAULT 0,
    key text DEFAULT NULL
) RETURNS uuid
LANGUAGE plpgsql AS $$
DECLARE
    flaw text := graphden.queue_payload_flaw(payload);
    into_queue integer;
BEGIN
    flaw := CASE
        WHEN coalesce(char_length(queue) NOT BETWEEN 1 AND 200, TRUE)
            THEN 'queue must have 1 to 200 characters'
        WHEN char_length(key) NOT BETWEEN 1 AND 200 THEN 'key must have 1 to 200 characters'
        WHEN coalesce(NOT (delay_ms >= 0 AND delay_ms <= 315576000000), TRUE)
            THEN 'delay_ms must be 0 to 315576000000 (ten years)'
        ELSE flaw
    END;
    IF flaw IS NOT NULL THEN
        RAISE EXCEPTION '%', flaw USING ERRCODE = 'invalid_parameter_value';
    END IF;
    into_queue := graphden.queue_id(queue);
    PERFORM pg_notify('graphden_queue', into_queue::text);
    RETURN graphden.queue_put(
        gen_random_uuid(), into_queue, payload, delay_ms, NULL, NULL,
        key, CASE WHEN key IS NOT NULL THEN graphden.queue_payload_digest(payload) END,
        interval '24 hours'
    );
END
$$;
