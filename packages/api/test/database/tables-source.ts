import { generate, type Overrides, PostgresDialect, RawExpressionNode } from 'kysely-codegen'
import { Client } from 'pg'

/**
 * The source of storage/schema/tables.ts: an interface for every table. Column types list the
 * values of check constraints.
 */
export async function tablesSource(url: string): Promise<string> {
  const client = new Client({ connectionString: url })
  await client.connect()
  const columns = await overrides(client)
  await client.end()

  const dialect = new PostgresDialect()
  const db = await dialect.introspector.connect({ connectionString: url, dialect })
  try {
    const source = await generate({
      db,
      dialect,
      defaultSchemas: ['muster'],
      includePattern: 'muster.*',
      excludePattern: '*kysely*',
      overrides: { columns },
      typeMapping: {
        date: 'string',
        int8: 'number',
        json: 'unknown',
        jsonb: 'unknown',
        timestamptz: 'string',
      },
    })
    // Unknown includes null.
    return source.replaceAll('unknown | null', 'unknown')
  } finally {
    await db.destroy()
  }
}

async function overrides(client: Client): Promise<NonNullable<Overrides['columns']>> {
  const { rows } = await client.query<{ column: string; definition: string }>(`
    select format('%s.%s', c.conrelid::regclass::text, a.attname) as column,
           pg_get_constraintdef(c.oid) as definition
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any (c.conkey)
    where c.contype = 'c' and cardinality(c.conkey) = 1 and c.connamespace = 'muster'::regnamespace
      and pg_get_constraintdef(c.oid) like '%ANY (ARRAY[%'`)
  const listed = rows.map(({ column, definition }): [string, RawExpressionNode] => {
    const values = [...definition.matchAll(/'(\w+)'::text/g)].map(([, value]) => `'${value}'`)
    return [column.replace('muster.', ''), new RawExpressionNode(values.join(' | '))]
  })
  const { rows: documents } = await client.query<{ column: string; name: string }>(`
    select format('%s.%s', table_name, column_name) as column, column_name as name
    from information_schema.columns
    where table_schema = 'muster' and data_type in ('json', 'jsonb')`)
  const typed = documents.flatMap(({ column, name }): [string, RawExpressionNode][] => {
    const type = documentTypes[name]
    return type === undefined ? [] : [[column, new RawExpressionNode(type)]]
  })
  return Object.fromEntries([...listed, ...typed])
}

/** The types of JSON columns, by name. Others are unknown. */
const documentTypes: Readonly<Record<string, string>> = {
  metadata: 'Record<string, string>',
  links: '{ title: string; url: string }[]',
}
