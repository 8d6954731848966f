-- Enabling an enabled one changes nothing: it does not begin again what runs or has ended.
UPDATE graphden.service
SET
    enabled = %(enabled)s,
    generation = generation + CASE WHEN %(enabled)s AND NOT enabled THEN 1 ELSE 0 END,
    broken = CASE WHEN %(enabled)s AND NOT enabled THEN NULL ELSE broken END,
    broken_error = CASE WHEN %(enabled)s AND NOT enabled THEN NULL ELSE broken_error END
WHERE id = %(id)s
RETURNING id
