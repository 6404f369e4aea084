-- For programs that follow the audit log, and for the bound on refusals. In a file of their own:
-- the columns of the file before lock out readers, and these lock out writers only, while they are
-- built from the entries of 400 days.

-- squawk-ignore require-concurrent-index-creation
create index audit_entries_by_position
on audit_entries (workspace_id, written_on, written_xid, id);

-- squawk-ignore require-concurrent-index-creation
create index audit_entries_refused on audit_entries (workspace_id, is_anonymous, occurred_at, id)
where type in ('sign_in.failed', 'request.refused');
