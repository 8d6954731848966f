SELECT pg_notify('graphden_service', '')
