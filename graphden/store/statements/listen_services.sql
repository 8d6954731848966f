LISTEN graphden_service; LISTEN graphden_branch
