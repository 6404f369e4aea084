-- Sign-in of people: one-time links, passkeys, the identity provider of a workspace, and the audit
-- log.

-- One-time links. Only the SHA-256 of the secret is stored. Using a link deletes its row.
create table sign_in_links (
  workspace_id uuid not null references workspaces,
  hash bytea not null check (length(hash) = 32),
  user_id uuid not null,
  purpose text not null check (purpose in ('sign_in', 'invitation')),
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, hash),
  foreign key (workspace_id, user_id) references people
);

create index sign_in_links_by_user on sign_in_links (workspace_id, user_id);
create index sign_in_links_by_expiry on sign_in_links (workspace_id, expires_at);

alter table sign_in_links enable row level security;
alter table sign_in_links force row level security;
create policy workspace_isolation on sign_in_links
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on sign_in_links to muster_app;

-- A sign-in that has begun in a browser: the challenge of a passkey, or state, nonce and code
-- verifier of OIDC. `hash` is the SHA-256 of a cookie. Finishing the sign-in deletes the row.
create table sign_in_flows (
  workspace_id uuid not null references workspaces,
  hash bytea not null check (length(hash) = 32),
  kind text not null check (kind in ('oidc', 'passkey', 'passkey_registration')),
  data json not null,
  expires_at timestamptz(3) not null,
  primary key (workspace_id, hash)
);

create index sign_in_flows_by_expiry on sign_in_flows (workspace_id, expires_at);

alter table sign_in_flows enable row level security;
alter table sign_in_flows force row level security;
create policy workspace_isolation on sign_in_flows
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on sign_in_flows to muster_app;

create table passkeys (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  user_id uuid not null,
  credential_id text collate "C" not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  last_used_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (workspace_id, id),
  foreign key (workspace_id, user_id) references people,
  constraint passkeys_credential unique (workspace_id, credential_id)
);

create index passkeys_by_user on passkeys (workspace_id, user_id, id);

alter table passkeys enable row level security;
alter table passkeys force row level security;
create policy workspace_isolation on passkeys
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on passkeys to muster_app;

-- The identity provider of a workspace. The client secret is encrypted with a key of the operator.
create table sign_in_providers (
  workspace_id uuid primary key references workspaces,
  issuer text not null,
  client_id text not null,
  client_secret bytea not null,
  match text not null check (match in ('external_id', 'email')),
  allowed_domains text[] not null default '{}',
  first_sign_in text not null check (first_sign_in in ('refuse', 'reader')),
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);

alter table sign_in_providers enable row level security;
alter table sign_in_providers force row level security;
create policy workspace_isolation on sign_in_providers
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on sign_in_providers to muster_app;

-- The account of a person at the identity provider. After the first sign-in, issuer and subject
-- alone decide who signs in.
create table identities (
  workspace_id uuid not null references workspaces,
  user_id uuid not null,
  issuer text not null,
  subject text collate "C" not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references people,
  constraint identities_subject unique (workspace_id, issuer, subject)
);

alter table identities enable row level security;
alter table identities force row level security;
create policy workspace_isolation on identities
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on identities to muster_app;

-- People whose email or external id was changed by a principal with fewer rights than the person.
-- The identity provider cannot bind them until an administrator confirms the change.
create table binding_holds (
  workspace_id uuid not null references workspaces,
  user_id uuid not null,
  created_at timestamptz(3) not null,
  primary key (workspace_id, user_id),
  foreign key (workspace_id, user_id) references people
);

alter table binding_holds enable row level security;
alter table binding_holds force row level security;
create policy workspace_isolation on binding_holds
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, delete on binding_holds to muster_app;

-- The audit log: sign-ins, failures, ends of sessions, and changes of access, links and keys.
-- Entries take no sequence number of their own. A failure is counted in the row of its network and
-- minute, which `failure_key` names.
create table audit_entries (
  workspace_id uuid not null references workspaces,
  id uuid not null,
  type text not null,
  actor_type text not null check (actor_type in ('key', 'person', 'admin', 'system')),
  actor_id uuid,
  actor_user_id uuid,
  user_id uuid,
  subject_id text,
  reason text,
  network text,
  user_agent text,
  count integer not null default 1,
  failure_key text,
  occurred_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

create unique index audit_entries_failure on audit_entries (workspace_id, failure_key)
where failure_key is not null;
create index audit_entries_by_time on audit_entries (workspace_id, occurred_at, id);
create index audit_entries_by_type on audit_entries (workspace_id, type, occurred_at, id);
create index audit_entries_by_user on audit_entries (workspace_id, user_id, occurred_at, id)
where user_id is not null;
-- For erasure.
create index audit_entries_by_actor on audit_entries (workspace_id, actor_user_id)
where actor_user_id is not null;

alter table audit_entries enable row level security;
alter table audit_entries force row level security;
create policy workspace_isolation on audit_entries
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update, delete on audit_entries to muster_app;

-- The workspace of a service that has only one, so that its people need not know the id. The role
-- of the service sees no workspace before it has entered one.
create function only_workspace() returns uuid
language sql stable security definer
set search_path = muster, pg_temp
as $$
  select case when count(*) = 1 then (array_agg(found.id))[1] end
  from (select id from workspaces limit 2) as found
$$;

revoke all on function only_workspace () from public;
grant execute on function only_workspace () to muster_app;
grant create on schema muster to muster_auth;
alter function only_workspace () owner to muster_auth;
revoke create on schema muster from muster_auth;
