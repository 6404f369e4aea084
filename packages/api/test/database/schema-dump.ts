import type { Client } from 'pg'

/** The schema after all migrations, as readable and reproducible SQL. */
export async function dumpSchema(sql: Client): Promise<string> {
  const { rows: tables } = await sql.query<{ name: string; options: string | null }>(`
    select relname as name, array_to_string(reloptions, ', ') as options from pg_class
    where relnamespace = 'muster'::regnamespace and relkind = 'r' and relname !~ '^kysely_'
    order by relname`)
  const parts = await Promise.all(
    tables.map(async ({ name, options }) =>
      [
        `create table ${name} (`,
        [...(await columns(sql, name)), ...(await constraints(sql, name))].join(',\n'),
        options ? `) with (${options});` : ');',
        ...(await indexes(sql, name)),
        ...(await security(sql, name)),
      ].join('\n'),
    ),
  )
  return `${[...parts, ...(await functions(sql))].join('\n\n')}\n`
}

async function lines(sql: Client, query: string, values: string[] = []): Promise<string[]> {
  const { rows } = await sql.query<{ line: string }>(query, values)
  return rows.map(({ line }) => line)
}

const columns = (sql: Client, table: string) =>
  lines(
    sql,
    `select format('  %I %s', a.attname, format_type(a.atttypid, a.atttypmod))
       || case when co.collname = 'C' then ' collate "C"' else '' end
       || case when a.attgenerated = 's'
         then ' generated always as (' || pg_get_expr(d.adbin, d.adrelid) || ') stored'
         else coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '') end
       || case when a.attnotnull then ' not null' else '' end as line
     from pg_attribute a
     left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
     left join pg_collation co on co.oid = a.attcollation
     where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped
     order by a.attnum`,
    [table],
  )

const constraints = (sql: Client, table: string) =>
  lines(
    sql,
    `select format('  constraint %I %s', conname, pg_get_constraintdef(oid)) as line
     from pg_constraint where conrelid = $1::regclass and contype in ('p', 'u', 'f', 'c')
     order by contype desc, conname`,
    [table],
  )

const indexes = (sql: Client, table: string) =>
  lines(
    sql,
    `select replace(pg_get_indexdef(i.indexrelid), 'muster.', '') || ';' as line
     from pg_index i
     left join pg_constraint c on c.conindid = i.indexrelid and c.contype in ('p', 'u')
     where i.indrelid = $1::regclass and c.oid is null order by i.indexrelid::regclass::text`,
    [table],
  )

async function security(sql: Client, table: string): Promise<string[]> {
  const policies = await lines(
    sql,
    `select format('create policy %I on %I to %s using (%s)%s;', p.polname, c.relname,
         coalesce((select string_agg(rolname, ', ' order by rolname) from pg_roles r
           where r.oid = any (p.polroles)), 'public'),
         pg_get_expr(p.polqual, c.oid),
         coalesce(' with check (' || pg_get_expr(p.polwithcheck, c.oid) || ')', '')) as line
     from pg_policy p join pg_class c on c.oid = p.polrelid
     where c.oid = $1::regclass order by p.polname`,
    [table],
  )
  const grants = await lines(
    sql,
    `select format('grant %s on %I to %s;', string_agg(lower(privilege_type), ', ' order by
         privilege_type), table_name, grantee) as line
     from information_schema.role_table_grants
     where table_schema = 'muster' and table_name = $1 and grantee <> 'muster_owner'
     group by table_name, grantee order by grantee`,
    [table],
  )
  const some = await lines(
    sql,
    `select format('grant %s (%s) on %I to %s;', lower(privilege_type), string_agg(column_name, ', '
         order by column_name), table_name, grantee) as line
     from information_schema.role_column_grants g
     where table_schema = 'muster' and table_name = $1 and grantee <> 'muster_owner'
       and not exists (select from information_schema.role_table_grants t
         where t.table_schema = 'muster'
         and t.table_name = g.table_name and t.grantee = g.grantee
         and t.privilege_type = g.privilege_type)
     group by privilege_type, table_name, grantee order by grantee, privilege_type`,
    [table],
  )
  return [...policies, ...grants, ...some]
}

const functions = (sql: Client) =>
  lines(
    sql,
    `select replace(pg_get_functiondef(p.oid), 'muster.', '') || ';' || E'\\n' || format(
         'alter function %I owner to %s;', p.proname, p.proowner::regrole) || coalesce(E'\\n' || (
         select string_agg(
           format('grant execute on function %I to %s;', p.proname, a.grantee::regrole),
           E'\\n' order by a.grantee::regrole::text)
         from aclexplode(p.proacl) a where a.grantee <> p.proowner), '') as line
     from pg_proc p where p.pronamespace = 'muster'::regnamespace order by p.proname`,
  )
