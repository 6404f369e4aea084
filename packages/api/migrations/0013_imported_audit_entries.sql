-- Marks the entries of the audit log that came with an import: the service did not observe what
-- they state, and the file could have been changed. The default is stored in the catalog, so that
-- no row is rewritten. The previous release inserts and reads entries without the column.
alter table audit_entries add column is_imported boolean not null default false;
