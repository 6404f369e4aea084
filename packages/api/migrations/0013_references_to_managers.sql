-- No release has filled this table, so its index is built in place.
-- squawk-ignore-file require-concurrent-index-creation
-- People are deleted only with their whole workspace. Then the database looks, for each of them,
-- for whoever reports to them; the indexes of the roster are on `manager_key`, which it cannot
-- know to be the same, so it would go through everyone for everyone.
create index people_manager on people (workspace_id, manager_user_id)
where manager_user_id is not null;
