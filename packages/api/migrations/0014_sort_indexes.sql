-- For lists in an order other than their own, such as the register by review date. One index for
-- each table includes the columns of every such order: an index-only scan of one workspace gives
-- the keys and the ranks of its items, which are then sorted. An index for each order would cost
-- five times as many index entries for each write, and would not give the rank.
--
-- Building them locks out writers, not readers.

-- squawk-ignore require-concurrent-index-creation
create index risks_sort_keys on risks (workspace_id, rank_key, id)
include (search_key, owner_key, review_on, score, version)
where is_live;

-- squawk-ignore require-concurrent-index-creation
create index issues_sort_keys on issues (workspace_id, severity_key, opened_at, id)
include (search_key, assignee_key, due_on, severity, version)
where is_open;

-- squawk-ignore require-concurrent-index-creation
create index tasks_sort_keys on tasks (workspace_id, status, due_key, id)
include (search_key, assignee_key, due_on, version);

-- squawk-ignore require-concurrent-index-creation
create index projects_sort_keys on projects (workspace_id, status, id)
include (created_at, health, owner_user_id, due_on);
