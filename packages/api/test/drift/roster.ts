const inScope = 'where ($1::uuid is null or workspace_id = $1)'

/** A membership is stored in the person and in a row that repeats sort keys of the person. */
const memberships = `
  with real as (
    select workspace_id, group_id, id as user_id, status, created_at, sort_name, version
    from people, unnest(group_ids) as group_id ${inScope}
  ), kept as (
    select workspace_id, group_id, user_id, status, created_at, sort_name, version
    from memberships ${inScope}
  )
  select format('Of memberships one is missing: %s.', missing) as message
  from (select * from real except select * from kept) as missing
  union all select format('Of memberships one is surplus: %s.', surplus)
  from (select * from kept except select * from real) as surplus`

const groups = `
  select format('The group %s of %s has %s members, and member_count is %s.', name, workspace_id, members,
    member_count) as message
  from (select *, (select count(*) from memberships as m
    where m.workspace_id = g.workspace_id and m.group_id = g.id) as members
    from groups as g ${inScope}) as counted
  where members <> member_count
  union all
  select format('%s leads the group %s of %s and is not in it.', lead, name, workspace_id)
  from groups as g cross join unnest(lead_user_ids) as lead ${inScope}
    and not exists (select from memberships as m where m.workspace_id = g.workspace_id
      and m.group_id = g.id and m.user_id = lead)`

/** Unique values on the roster, and their lookup keys. */
const unique = `
  select format('%s people on the roster of %s have the %s %s.', count(*), workspace_id, what, value)
    as message
  from people cross join lateral (
    values ('email', lower(email)), ('external id', external_id)
  ) as has (what, value) ${inScope} and status <> 'departed' and value is not null
  group by workspace_id, what, value having count(*) > 1
  union all
  select format('%s active groups of %s have the name %s.', count(*), workspace_id, lower(name))
  from groups ${inScope} and status = 'active'
  group by workspace_id, lower(name) having count(*) > 1
  union all
  select format('The email of %s of %s has the key %s.', name, workspace_id, email_key)
  from people ${inScope} and email_key is distinct from lower(email)`

/** For ASCII texts, which fold by letter case alone. */
const searchTexts = `
  with item as (
    select workspace_id, 'person' as noun, id, search_text,
      name || ' ' || coalesce(email, '') as real
    from people
    union all select workspace_id, 'group', id, search_text, name from groups
    union all select workspace_id, 'project', id, search_text, code || ' ' || name from projects
    union all select workspace_id, 'risk', id, search_text, ref || ' ' || title from risks
    union all select workspace_id, 'issue', id, search_text, ref || ' ' || title from issues
    union all select workspace_id, 'task', id, search_text, ref || ' ' || title from tasks
  )
  select format('The search text of the %s %s of %s is %s.', noun, id, workspace_id, search_text)
    as message
  from item ${inScope} and real ~ '^[ -~]*$' and search_text <> lower(real)`

/** No person may be their own indirect manager. */
const cycles = `
  with recursive above as (
    select workspace_id, id as person, manager_user_id as id, 1 as steps from people
    ${inScope} and manager_user_id is not null
    union all
    select p.workspace_id, person, p.manager_user_id, steps + 1 from above
    join people as p on p.workspace_id = above.workspace_id and p.id = above.id
    where p.manager_user_id is not null and above.id <> person and steps < 1000
  )
  select format('%s of %s reports to themselves.', person, workspace_id) as message
  from above where id = person`

/** Combinations of columns that no person may have. */
const states = `
  select format('The person %s of %s contradicts itself.', name, workspace_id) as message
  from people ${inScope} and not (
    (status <> 'departed' or group_ids = '{}')
    and (erased_at is null or status = 'departed' and num_nonnulls(email, phone, title, department,
      external_id, manager_user_id, time_zone, status_reason) = 0 and metadata::text = '{}')
    and group_ids = array(select unnest(group_ids) order by 1))
  union all
  select format('The history of %s of %s still has personal data.', id, workspace_id)
  from history as h ${inScope} and noun = 'person'
    and exists (select from people as p where p.workspace_id = h.workspace_id and p.id = h.id
      and erased_at is not null)
    and not (data @> '{"name": "Erased person", "email": null, "phone": null}'
      and coalesce(metadata, '{}') = '{}')`

/** Work may be assigned only to existing people. */
const assignees = `
  with item as (
    select workspace_id, ref, owner_user_id as assignee from risks
    union all select workspace_id, ref, assignee_user_id from issues
    union all select workspace_id, ref, assignee_user_id from tasks
    union all select workspace_id, code, owner_user_id from projects
  )
  select format('%s of %s is assigned to %s, who does not exist.', ref, workspace_id, assignee)
    as message
  from item ${inScope} and assignee is not null and not exists (select from people as p
    where p.workspace_id = item.workspace_id and p.id = assignee)`

/** Each query finds drift in people and groups. */
export const rosterChecks = [memberships, groups, unique, searchTexts, cycles, states, assignees]
