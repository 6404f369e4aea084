-- A hold remembers who changed the email or external id of a person, and with which rights. The
-- person gets no right that the principal lacked until someone with that right confirms the change.
-- Holds that an earlier release wrote have no rights, so that every right needs a confirmation.
-- `is_bound`: an account was bound since, which a confirmation ends.
alter table binding_holds
add column fields text[] not null default '{}',
add column rights text[] not null default '{}',
add column is_bound boolean not null default false,
add column actor_type text check (actor_type in ('key', 'person', 'admin', 'system')),
add column actor_id uuid,
add column actor_user_id uuid;

grant update on binding_holds to muster_app;
