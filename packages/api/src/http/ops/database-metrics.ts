import { Gauge, type Registry } from 'prom-client'

interface PoolCounts {
  readonly total: number
  readonly in_use: number
  readonly idle: number
  readonly waiting: number
}

interface TableSize {
  readonly table: string
  readonly bytes: number
  readonly rows: number
}

/** What the metrics read from the database and its pool. No function waits for the database. */
export interface DatabaseState {
  readonly connections: () => PoolCounts
  readonly connectionsMax: number
  /** Whether the database answered the last check. */
  readonly isUp: () => boolean
  readonly tables: () => readonly TableSize[]
}

/** Metrics of the database: reachability, pool and table sizes. */
export function addDatabaseMetrics(registry: Registry, state: DatabaseState): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_database_up',
      help: '1 if the database answered the last check of this process.',
      registers: [],
      collect() {
        this.set(state.isUp() ? 1 : 0)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_database_connections',
      help: 'Connections of the database pool, and requests that wait for one.',
      labelNames: ['state'],
      registers: [],
      collect() {
        for (const [name, count] of Object.entries(state.connections()))
          this.set({ state: name }, count)
      },
    }),
  )
  new Gauge({
    name: 'muster_database_connections_max',
    help: 'The size of the database pool (DATABASE_POOL_MAX).',
    registers: [registry],
  }).set(state.connectionsMax)
  addTableMetrics(registry, state)
}

function addTableMetrics(registry: Registry, { tables }: DatabaseState): void {
  registry.registerMetric(
    new Gauge({
      name: 'muster_table_bytes',
      help: 'Size of a table with its indexes, estimated at its last vacuum or analyze.',
      labelNames: ['table'],
      registers: [],
      collect() {
        this.reset()
        for (const { table, bytes } of tables()) this.set({ table }, bytes)
      },
    }),
  )
  registry.registerMetric(
    new Gauge({
      name: 'muster_table_rows',
      help: 'Rows of a table, estimated at its last vacuum or analyze.',
      labelNames: ['table'],
      registers: [],
      collect() {
        this.reset()
        for (const { table, rows } of tables()) this.set({ table }, rows)
      },
    }),
  )
}
