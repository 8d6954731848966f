DROP FUNCTION graphden.may_claim(uuid);
DROP TABLE graphden.service_instance;
DROP TABLE graphden.service_process;
DROP TABLE graphden.service;
