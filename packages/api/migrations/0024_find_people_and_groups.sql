-- For people and groups that are looked up by e-mail, external id or name, in any status. The
-- unique indexes have only people on the roster and active groups. A row without the value has no
-- entry.

-- squawk-ignore require-concurrent-index-creation
create index people_by_external_id on people (workspace_id, external_id)
where external_id is not null;

-- squawk-ignore require-concurrent-index-creation
create index people_by_email on people (workspace_id, email_key)
where email_key is not null;

-- squawk-ignore require-concurrent-index-creation
create index groups_by_external_id on groups (workspace_id, external_id)
where external_id is not null;

-- squawk-ignore require-concurrent-index-creation
create index groups_by_name on groups (workspace_id, name_key);
