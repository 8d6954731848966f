DROP FUNCTION record_operation(text, text, json);
DROP FUNCTION record_message(uuid, uuid, text);
DROP FUNCTION record_handlings(json, uuid[], text);
DROP FUNCTION handling_id(uuid, uuid);
DROP TABLE execution_message;
DROP TABLE execution;
