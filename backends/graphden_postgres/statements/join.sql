-- Nothing: with it psycopg begins the user's transaction, if none has begun.
SELECT TRUE
