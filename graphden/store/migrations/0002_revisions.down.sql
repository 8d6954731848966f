DROP TABLE graphden.branch;
DROP TABLE graphden.revision;
DROP TABLE graphden.file_tree;
DROP TABLE graphden.row_text;
