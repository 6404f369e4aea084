-- The order in which entries of the audit log were committed, for programs that follow the log.
-- Times and ids are taken when a transaction begins, so they can appear out of order. An entry has
-- the id of its transaction instead, and a reader takes only those below every transaction that
-- still runs (pg_snapshot_xmin): no entry can appear behind it later.
--
-- Transaction ids belong to one server. `written_on` names the server and its timeline: after a
-- failover, a restore or a move, entries of the earlier server keep their order, and those of the
-- present one follow. The release before this one inserts entries with these defaults.
create function audit_server() returns text
language sql volatile
return (select system_identifier::text from pg_control_system())
  || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8);
revoke all on function audit_server () from public;
grant execute on function audit_server () to muster_app;

-- Entries from before this migration are ordered by id.
alter table audit_entries add column written_on text collate "C" not null default '';
alter table audit_entries add column written_xid bigint not null default 0;
alter table audit_entries alter column written_on set default audit_server();
alter table audit_entries
alter column written_xid set default pg_current_xact_id()::text::bigint;

-- Refusals of callers without a genuine credential. They are bounded apart from the others, so that
-- nobody can displace the refusals of a stolen key.
alter table audit_entries add column is_anonymous boolean not null default false;

-- Entries are inserted and not changed. Erasure clears network and client. The release before this
-- one also counts failures in the other columns listed here, so they stay until the next release.
revoke update on audit_entries from muster_app;
grant update (count, user_id, subject_id, reason, network, user_agent, failure_key)
on audit_entries to muster_app;
