-- Settings of every session of ours, whatever the role's or the database's defaults.
--
-- Claims and fences rely on seeing rows as they are when their lock is won: READ COMMITTED.
-- Every hot statement walks an index in order; with statistics that are empty or old the planner
-- would collect and sort a whole backlog instead. A method that is switched off is still used
-- where there is no other, at a nominal cost so high that it would start the JIT compiler.
SELECT
    set_config('default_transaction_isolation', 'read committed', FALSE),
    set_config('enable_seqscan', 'off', FALSE),
    set_config('enable_bitmapscan', 'off', FALSE),
    set_config('enable_sort', 'off', FALSE),
    set_config('jit', 'off', FALSE)
