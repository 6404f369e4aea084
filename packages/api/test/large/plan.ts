import { type Client, escapeLiteral } from 'pg'

import type { Statement } from '#test/support/statements'

export interface Plan {
  readonly buffers: number
  /** Tables read by a sequential scan. */
  readonly scanned: string[]
  /** Every index scan: the table and the index condition. */
  readonly entered: Entry[]
  /** Heap fetches of index-only scans, for pages changed since the last vacuum. */
  readonly heapFetches: number
  readonly text: string
}

interface Entry {
  readonly table: string
  readonly condition: string
  readonly isIndexOnly: boolean
}

interface PlanNode {
  'Node Type': string
  'Relation Name'?: string
  'Index Cond'?: string
  'Shared Hit Blocks'?: number
  'Shared Read Blocks'?: number
  'Heap Fetches'?: number
  Plans?: PlanNode[]
}

/** Runs a statement with these values as the client's role, and returns its actual plan. */
export function planOf(client: Client, statement: Statement): Promise<Plan> {
  return prepared(client, statement, async (call) => {
    await client.query(`execute ${call}`)
    return explained(client, statement, `explain (analyze, buffers, format json) execute ${call}`)
  })
}

/** Returns the plan of a statement without running it, so that writes can be planned. */
export function intendedPlanOf(client: Client, statement: Statement): Promise<Plan> {
  return prepared(client, statement, (call) =>
    explained(client, statement, `explain (format json) execute ${call}`),
  )
}

async function prepared<T>(
  client: Client,
  { sql, parameters }: Statement,
  work: (call: string) => Promise<T>,
): Promise<T> {
  const values = parameters.map(literal)
  await client.query(`prepare planned as ${sql}`)
  try {
    return await work(values.length > 0 ? `planned(${values.join(', ')})` : 'planned')
  } finally {
    await client.query('deallocate planned')
  }
}

async function explained(client: Client, { sql }: Statement, explain: string): Promise<Plan> {
  const { rows } = await client.query(explain)
  const root: PlanNode = rows[0]['QUERY PLAN'][0].Plan
  const nodes = nodesOf(root)
  return {
    buffers: (root['Shared Hit Blocks'] ?? 0) + (root['Shared Read Blocks'] ?? 0),
    scanned: nodes
      .filter((node) => node['Node Type'].startsWith('Seq Scan'))
      .map((node) => node['Relation Name'] ?? ''),
    entered: nodes
      .filter((node) => node['Node Type'].includes('Index'))
      .map((node) => ({
        table: node['Relation Name'] ?? '',
        condition: node['Index Cond'] ?? '',
        isIndexOnly: node['Node Type'] === 'Index Only Scan',
      })),
    heapFetches: nodes.reduce((sum, node) => sum + (node['Heap Fetches'] ?? 0), 0),
    text: `${sql}\n${JSON.stringify(root, null, 1)}`,
  }
}

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)]

/** A parameter as an SQL literal. */
function literal(value: unknown): string {
  return value === null || value === undefined ? 'null' : escapeLiteral(textOf(value))
}

function textOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  if (Buffer.isBuffer(value)) return `\\x${value.toString('hex')}`
  return String(value)
}

const element = (value: unknown) =>
  value === null || value === undefined ? 'null' : JSON.stringify(textOf(value))
