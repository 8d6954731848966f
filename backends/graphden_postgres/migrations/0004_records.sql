-- What the store records of messages (QUEUES 6), by functions that it owns. In a database without
-- the store nothing is recorded, and trouble with a record never keeps a message from its way.

-- Handlings that a statement has just settled: `settled` are the messages whose claim held, and
-- `settlement` is what became of them.
CREATE FUNCTION graphden.queue_record(handlings json, settled uuid[], settlement text)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF to_regprocedure('graphden.record_handlings(json, uuid[], text)') IS NULL THEN
        RETURN FALSE;
    END IF;
    PERFORM graphden.record_handlings(handlings, settled, settlement);
    RETURN TRUE;
EXCEPTION WHEN OTHERS THEN
    RAISE WARNING 'handlings were not recorded: %', SQLERRM;
    RETURN FALSE;
END
$$;

-- What an operator has just done to messages.
CREATE FUNCTION graphden.queue_record_operation(operation text, operator text, messages json)
RETURNS boolean
LANGUAGE plpgsql AS $$
BEGIN
    IF messages IS NULL
        OR to_regprocedure('graphden.record_operation(text, text, json)') IS NULL
    THEN
        RETURN FALSE;
    END IF;
    PERFORM graphden.record_operation(operation, operator, messages);
    RETURN TRUE;
END
$$;

-- A message that a recorded execution published is recorded with it, on whatever way it came.
CREATE FUNCTION graphden.queue_record_message() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    IF to_regprocedure('graphden.record_message(uuid, uuid, text)') IS NOT NULL THEN
        PERFORM graphden.record_message(NEW.parent_execution_id, NEW.id, queue.name)
        FROM graphden.queue
        WHERE queue.id = NEW.queue_id;
    END IF;
    RETURN NULL;
END
$$;

CREATE TRIGGER queue_message_recorded AFTER INSERT ON graphden.queue_message
    FOR EACH ROW WHEN (NEW.parent_execution_id IS NOT NULL)
    EXECUTE FUNCTION graphden.queue_record_message();
