import { type Client, escapeLiteral } from 'pg'

import type { Statement } from './statements.ts'

export interface Plan {
  readonly buffers: number
  /** Tables that are read from one end to the other. */
  readonly scanned: string[]
  readonly text: string
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: PlanNode[]
}

/**
 * How the database runs a statement, having run it: as whoever the client is, with these values.
 */
export async function planOf(client: Client, statement: Statement): Promise<Plan> {
  const values = statement.parameters.map((value) => escapeLiteral(literal(value)))
  const call = values.length > 0 ? `planned(${values.join(', ')})` : 'planned'
  await client.query(`prepare planned as ${statement.sql}`)
  try {
    await client.query(`execute ${call}`)
    const { rows } = await client.query(`explain (analyze, buffers, format json) execute ${call}`)
    const root: PlanNode = rows[0]['QUERY PLAN'][0].Plan
    return {
      buffers: root['Shared Hit Blocks'] + root['Shared Read Blocks'],
      scanned: scansOf(root),
      text: `${statement.sql}\n${JSON.stringify(root, null, 1)}`,
    }
  } finally {
    await client.query('deallocate planned')
  }
}

function scansOf(node: PlanNode): string[] {
  const own = node['Node Type'].startsWith('Seq Scan') ? [node['Relation Name'] ?? ''] : []
  return [...own, ...(node.Plans ?? []).flatMap(scansOf)]
}

/** A parameter as it stands in SQL. */
function literal(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map((each) => literal(each ?? 'null')).join(',')}}`
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return String(value)
}
