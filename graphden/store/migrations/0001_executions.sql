-- Executions: what ran, with what, what came of it, what it caused (QUEUES 6).
--
-- A run is written twice, when it begins and when it ends; a handling of a message and an act of
-- an operator once, when they are over. Values are EDN text, cut at a limit; `cut` names which.
-- A handling's id is made of its claim (graphden.handling_id), so whoever writes it writes the
-- same row: there are never two of one claim.

CREATE TABLE graphden.execution (
    id uuid PRIMARY KEY,
    kind text NOT NULL CHECK (kind IN ('run', 'handling', 'operator')),
    status text NOT NULL CHECK (status IN ('pending', 'succeeded', 'failed', 'cancelled')),
    entry text,
    digest text,
    arguments text,
    result text,
    error json,
    trace json,
    cut text[],
    hidden boolean NOT NULL DEFAULT FALSE,
    actor text,
    trace_id uuid NOT NULL,
    parent_id uuid,
    rerun_of uuid,
    started_at timestamptz NOT NULL,
    ended_at timestamptz,
    -- The advisory lock that the process of an unended run holds: who lost it has lost the run.
    owner bigint,
    cancel_by text,
    -- Of handlings and of what operators did to a message.
    message_id uuid,
    queue text,
    attempt integer,
    outcome text,
    settlement text,
    CONSTRAINT execution_end CHECK ((status = 'pending') = (ended_at IS NULL))
);

-- The list, newest first; the few that did not succeed, by status; what became of a message.
CREATE INDEX execution_started ON graphden.execution (started_at);
CREATE INDEX execution_unsuccessful ON graphden.execution (status, started_at)
    WHERE status <> 'succeeded';
CREATE INDEX execution_message_id ON graphden.execution (message_id)
    WHERE message_id IS NOT NULL;

-- What a recorded execution published, written by the transaction that published it.
CREATE TABLE graphden.execution_message (
    execution_id uuid NOT NULL,
    message_id uuid NOT NULL,
    queue text NOT NULL,
    published_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (execution_id, message_id)
);

-- The execution id of the handling of a message under a claim, known before it begins.
CREATE FUNCTION graphden.handling_id(token uuid, message_id uuid) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT md5(token::text || message_id::text)::uuid
$$;

-- Records handlings that have just been settled: an array of objects with
--   id, message_id, queue, attempt, outcome (done, failed, later, give-up, died, lapsed), and if
--   known: entry, error, cut, trace_id, parent_id, actor, ran_ms, and ended_ms, how long ago it
--   ended.
-- `settled` are the messages whose claim held, and `settlement` is what became of them (done,
-- retry, dead); the others are lost. What is recorded stays, with one exception: that a worker
-- died is what others saw, so if it comes back with an end of its own, that stands.
CREATE FUNCTION graphden.record_handlings(handlings json, settled uuid[], settlement text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO graphden.execution AS known (
        id, kind, status, entry, error, cut, actor, trace_id, parent_id, started_at, ended_at,
        message_id, queue, attempt, outcome, settlement
    )
    SELECT DISTINCT ON (one.id)
        one.id,
        'handling',
        CASE ended.outcome
            WHEN 'done' THEN 'succeeded' WHEN 'later' THEN 'cancelled' ELSE 'failed'
        END,
        one.entry,
        one.error,
        one.cut,
        one.actor,
        coalesce(one.trace_id, one.message_id),
        one.parent_id,
        ended.at - make_interval(secs => coalesce(one.ran_ms, 0) / 1000),
        ended.at,
        one.message_id,
        one.queue,
        one.attempt,
        ended.outcome,
        CASE WHEN ended.outcome = 'lost' THEN 'lost' ELSE record_handlings.settlement END
    FROM json_to_recordset(handlings) AS one (
        id uuid, message_id uuid, queue text, attempt integer, outcome text,
        entry text, error json, cut text[], actor text, trace_id uuid, parent_id uuid,
        ran_ms double precision, ended_ms double precision
    )
    CROSS JOIN LATERAL (
        SELECT
            clock_timestamp() - make_interval(secs => coalesce(one.ended_ms, 0) / 1000) AS at,
            CASE WHEN one.message_id = ANY(settled) THEN one.outcome ELSE 'lost' END AS outcome
    ) AS ended
    ORDER BY one.id
    ON CONFLICT (id) DO UPDATE SET
        status = excluded.status, entry = excluded.entry, error = excluded.error,
        cut = excluded.cut, actor = excluded.actor,
        started_at = least(known.started_at, excluded.started_at),
        ended_at = excluded.ended_at, outcome = excluded.outcome,
        settlement = excluded.settlement
    WHERE known.outcome = 'died' AND excluded.outcome <> 'died';
END
$$;

-- Records that an execution published a message.
CREATE FUNCTION graphden.record_message(publisher uuid, published uuid, into_queue text)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO graphden.execution_message (execution_id, message_id, queue)
    VALUES (publisher, published, into_queue)
    ON CONFLICT DO NOTHING;
END
$$;

-- Records what an operator did to messages: an array of objects with message_id, queue and, if
-- known, trace_id.
CREATE FUNCTION graphden.record_operation(operation text, operator text, messages json)
RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO graphden.execution (
        id, kind, status, entry, actor, trace_id, started_at, ended_at,
        message_id, queue, outcome
    )
    SELECT
        gen_random_uuid(), 'operator', 'succeeded', operation, operator,
        coalesce(one.trace_id, one.message_id), now.at, now.at,
        one.message_id, one.queue, operation
    FROM json_to_recordset(messages) AS one (message_id uuid, queue text, trace_id uuid)
    CROSS JOIN (SELECT clock_timestamp() AS at) AS now;
END
$$;
