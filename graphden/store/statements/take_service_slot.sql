-- One session holds a slot at a time, for as long as it lives.
SELECT pg_try_advisory_lock(hashtextextended(%(slot)s, 7454127468667233646))
