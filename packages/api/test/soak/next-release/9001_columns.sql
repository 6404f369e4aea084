-- Example of a later release: adds columns to tables in use.
alter table people add column pronouns text check (length(pronouns) <= 100);
alter table risks add column confidence smallint check (confidence between 1 and 5);
alter table issues add column root_cause text check (length(root_cause) <= 2000);
alter table projects add column sponsor_user_id uuid;
