SELECT pg_notify('graphden_doctor', %(word)s)
