-- From now on it claims nothing.
UPDATE graphden.service_instance
SET state = 'draining', fenced = true
WHERE id = %(id)s AND state = 'running'
