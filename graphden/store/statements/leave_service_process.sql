UPDATE graphden.service_process
SET gone = true
WHERE id = %(id)s
