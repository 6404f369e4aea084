import type { Client } from 'pg'

import { anyOrder } from '#storage/lists/directory'
import { groupsList } from '#storage/nouns/groups'
import { openIssues } from '#storage/nouns/open-issues'
import { projectsList } from '#storage/nouns/projects'
import { register } from '#storage/nouns/register'
import { rosterList } from '#storage/nouns/roster'
import { tasksList } from '#storage/nouns/tasks'
import { View } from '#storage/statements/view'

const anyPerson = {
  statuses: [],
  userIds: null,
  emails: null,
  externalIds: null,
  groupIds: null,
  managerIds: null,
  title: null,
  department: null,
  q: null,
}

const projects = View.all.scope()

/** The lists whose rows are kept as texts. */
const kept = [
  rosterList(anyPerson, anyOrder).query,
  groupsList({ statuses: [], q: null }, anyOrder).query,
  projectsList({ statuses: [], projects, query: {}, q: null }, anyOrder).query,
  tasksList({ query: {}, projects, statuses: [], q: null }).query,
  register,
  openIssues,
]

/** Columns that lists read and that no item shows. */
const notShown = new Set(['risk_number', 'issue_number', 'task_number'])

/**
 * From now on, PostgreSQL refuses a change of a column that an item shows, unless the version of
 * the row changes too: a text in memory is valid for one version. Only the roles of the service are
 * refused, because tests prepare rows as the superuser.
 */
export async function requireVersions(sql: Client): Promise<void> {
  await sql.query(`create or replace function require_version() returns trigger language plpgsql as $$
    declare name text;
    begin
      if current_user = session_user or new.version <> old.version then return new; end if;
      foreach name in array tg_argv loop
        if to_jsonb(old) -> name is distinct from to_jsonb(new) -> name then
          raise exception '% of % changed without its version', name, tg_table_name;
        end if;
      end loop;
      return new;
    end $$`)
  for (const { table, columns } of kept) {
    const shown = columns.filter((name) => !notShown.has(name)).map((name) => `'${name}'`)
    await sql.query(`create or replace trigger require_version before update on ${table}
      for each row execute function require_version(${shown.join()})`)
  }
}
