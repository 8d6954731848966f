-- Claims and fences rely on seeing rows as they are when their lock is won.
SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL READ COMMITTED
