import {
  at,
  chance,
  full,
  isPast,
  little,
  oftenLow,
  oftenOneOf,
  oneOf,
  past,
  smallOne,
  spread,
  uuidAt,
  uuidOf,
  when,
} from './spread.ts'

/** 900 first names with a skewed distribution: Mara is 1 person in 30, Zozim almost none. */
const firstName = [
  oftenOneOf(
    50,
    `ma jo li an el si to ka ni ru be da fe ga ha i le mi na o pe ra sa te u vi wa ya
    cy zo`,
  ),
  oftenOneOf(
    52,
    `ra na lia ris nna rik ne tte las mir von dan lo sse ma ro vin kko run dis gny
    thea bjorn stina helm gard frid mund wen zim`,
  ),
].join(' || ')

/** 20 000 last names: Lindegren is 1 person in 130. */
const lastName = [
  oftenOneOf(
    54,
    `lind berg sand ek holm ny hag wall lund forss nor dahl sund gran alm stro hed ros
    kal brand frid ost vik hjal tor`,
  ),
  oftenOneOf(
    56,
    `e a o en er el an ar as be de ge ka la ma na ra sa ta va ing und ild ors ulf olf
    eng ack ell iss ott urr`,
  ),
  oftenOneOf(
    58,
    `gren man qvist strom son berg lund stedt dal ling blad rud vall hult mark roth
    feldt nius sen gard lov ski wicz dottir moen`,
  ),
].join(' || ')

/** 25 titles; 1 person in 50 has none. */
const title = when(
  `${chance(60, 50)} > 0`,
  `${oneOf(61, 'Site Lead Resident Senior Junior')} || ' ' ||
    ${oneOf(62, 'engineer surveyor analyst planner technician')}`,
)

/** 40 departments; 1 person in 50 has none. */
const department = when(
  `${chance(63, 50)} > 0`,
  `${oneOf(64, 'Civil Marine Tunnel Power Water Road Rail Ground')} || ' ' ||
    ${oneOf(65, 'works design survey planning operations')}`,
)

/**
 * The workspaces whose people are in groups: those that the tests read, and some others, with whose
 * rows theirs are interleaved.
 */
const hasGroups = `home in (0, 2, 3, 4, ${smallOne})`

/** Everyone is in the first group and in one other; half of the people are in a third. */
const groupsOf = (size: string) => `array_remove(array[${uuidAt('groups', '0')},
  ${uuidAt('groups', `1 + ${oftenLow(66, `(${size} / 2 - 1)`)}`)},
  ${when(`${chance(68, 2)} = 0`, uuidAt('groups', `${size} / 2 + ${oftenLow(69, `${size} / 2`)}`))}
], null)`

const groupIds = `case when ${isPast} or not ${hasGroups} then '{}'
  else ${groupsOf(`case home when ${smallOne} then ${little.groups} else ${full.groups} end`)} end`

/** Distinct versions, in another order than the ids. */
const version = `1 + k * 31337::bigint % ${full.people * past}`

/** Person k reports to person k / 8: a tree of six levels, with eight reports each. */
export const people = `
  insert into people (workspace_id, id, name, sort_name, search_text, email, email_key, title,
    title_key, department, department_key, external_id, manager_user_id, status, status_changed_at,
    group_ids, version, created_at, updated_at)
  select workspace_id, ${uuidOf('people', 'n')}, name, lower(name), lower(name || ' ' || email),
    email, email, title, lower(coalesce(title, '')), department, lower(coalesce(department, '')),
    'X' || k, ${when('k > 0', uuidAt('people', 'k / 8'))},
    case when ${isPast} then 'departed' when k % 20 = 7 then 'suspended' else 'active' end, now(),
    ${groupIds}, ${version}, ${at}, ${at}
  from ${spread('people', past)},
    lateral (select ${firstName} as first_name, ${lastName} as last_name, ${title} as title,
      ${department} as department) t,
    lateral (select initcap(first_name || ' ' || last_name) as name,
      first_name || '.' || last_name || k || '@example.com' as email) u`

/** In random physical order, as after years of joins and departures. */
export const memberships = `
  insert into memberships (workspace_id, group_id, user_id, joined_at, status, created_at,
    sort_name, version)
  select workspace_id, group_id, id, created_at, status, created_at, sort_name, version
  from people, unnest(group_ids) as group_id
  order by hashtext(id::text || group_id)`

export const groups = `
  insert into groups (workspace_id, id, name, name_key, sort_name, search_text, status,
    member_count, members_changed_at, version, created_at, updated_at)
  select workspace_id, id, 'Group ' || n, 'group ' || n, 'group ' || n, 'group ' || n, 'active',
    coalesce(member_count, 0), now(), 1 + k, ${at}, ${at}
  from ${spread('groups')}
    cross join lateral (select ${uuidOf('groups', 'n')} as id) t
    left join (
      select workspace_id, group_id as id, count(*) as member_count from memberships group by 1, 2
    ) as counted using (workspace_id, id)`
