SELECT pg_notify('graphden_branch', '')
