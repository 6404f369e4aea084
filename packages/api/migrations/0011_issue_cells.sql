-- No release has kept these counts, so none of them is missed.
-- Open issues are counted by severity and month of opening together: what the board of them shows.
-- The months are sums of these cells, so they are not counted by themselves any more. Severities
-- still are: a page of projects looks them up, and a project may have many months.
do $$
declare
  home uuid;
begin
  for home in select id from workspaces loop
    perform set_config('app.ws', home::text, true);

    delete from tallies where workspace_id = home and noun = 'issue' and dimension = 'month';

    insert into tallies (workspace_id, noun, project_id, dimension, value, count)
    select home, 'issue', scope, 'cell',
      severity || to_char(opened_at at time zone 'UTC', ' YYYY-MM'), count(*)
    from issues, unnest(array[project_id, '00000000-0000-0000-0000-000000000000']) as scope
    where workspace_id = home and is_open
    group by 3, 5;
  end loop;
end
$$;
