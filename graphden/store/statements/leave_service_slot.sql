SELECT pg_advisory_unlock(hashtextextended(%(slot)s, 7454127468667233646))
