import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts the time of the whole machine in hundredths of a second. */
const msPerTick = 10
const nsPerMs = 1e6
/** The cores of this machine, also where this process may use fewer. */
export const cores = readFileSync('/proc/stat', 'utf8').match(/^cpu\d/gm)?.length ?? 1

/** CPU time so far, in milliseconds. */
export interface CpuTimes {
  readonly at: number
  /** Of the measured process. */
  readonly subject: number
  /** Of each backend of the measured database. */
  readonly backends: ReadonlyMap<number, number>
  /** Of all backends of the server that have ended. */
  readonly ended: number
  /** Of this process and its children that have ended: the load generator, and pgbench. */
  readonly own: number
  /** Of all processes of the machine. */
  readonly busy: number
  /** Time that the host gave to other machines. */
  readonly stolen: number
}

/** `pid` is null where only backends work. Other databases belong to others on this machine. */
export function cpuTimes(pid: number | null, database: string): CpuTimes {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , , , steal = 0] = line.split(/\s+/).slice(1).map(Number)
  const backends = backendsOf(database)
  const [first] = backends
  // Every backend is a child of the server.
  const server = first === undefined ? [] : statOf(statOf(first)[1] ?? '')
  return {
    at: performance.now(),
    subject: pid === null ? 0 : cpuMsOf(pid),
    backends: new Map(backends.map((each) => [each, cpuMsOf(each)])),
    ended: ticks(server, 13, 14),
    own: ticks(statOf('self'), 11, 12, 13, 14),
    busy: (user + nice + system) * msPerTick,
    stolen: steal * msPerTick,
  }
}

/** The fields of /proc/PID/stat after the name of the program. */
function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

const ticks = (fields: readonly string[], ...indexes: readonly number[]) =>
  indexes.reduce((sum, index) => sum + Number(fields[index] ?? 0), 0) * msPerTick

/** CPU time of all threads of a process; 0 for one that has ended. */
function cpuMsOf(pid: number): number {
  try {
    return readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
      const [spent] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ')
      return sum + Number(spent) / nsPerMs
    }, 0)
  } catch {
    return 0
  }
}

/** The backends of a database. Each writes its user, database and client into its command line. */
export function backendsOf(database: string): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter(Number.isInteger)
    .filter((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
        return command.startsWith('postgres:') && command.includes(` ${database} `)
      } catch {
        return false
      }
    })
}

/** What was used between two points in time. */
export interface CpuUse {
  readonly subjectMs: number
  readonly postgresMs: number
  /** Cores that others used. */
  readonly foreignCores: number
  /** The part of all time of the machine that the host gave to others. */
  readonly stolenPart: number
}

/** With `isEnded`, the backends that worked have ended since, as those of pgbench. */
export function cpuUse(from: CpuTimes, to: CpuTimes, { isEnded = false } = {}): CpuUse {
  let postgresMs = isEnded ? to.ended - from.ended : 0
  for (const [pid, ms] of to.backends) postgresMs += ms - (from.backends.get(pid) ?? 0)
  const subjectMs = to.subject - from.subject
  const elapsed = to.at - from.at
  const foreign = to.busy - from.busy - subjectMs - postgresMs - (to.own - from.own)
  return {
    subjectMs,
    postgresMs,
    foreignCores: Math.max(0, foreign) / elapsed,
    stolenPart: (to.stolen - from.stolen) / elapsed / cores,
  }
}
