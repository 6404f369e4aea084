import { readdirSync, readFileSync } from 'node:fs'

/** The kernel counts CPU time in hundredths of a second. */
const msPerTick = 10

interface ProcessCpu {
  /** Whether it serves a connection to the measured database. */
  readonly isBackend: boolean
  readonly ms: number
}

/** CPU time of all processes of this machine, in milliseconds. */
interface CpuTimes {
  readonly at: number
  readonly byProcess: ReadonlyMap<number, ProcessCpu>
  readonly busy: number
  /** Time that the host gave to other machines. */
  readonly stolen: number
}

/** Backends of other databases belong to others who use this machine. */
export function cpuTimes(database: string): CpuTimes {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n')
  const [user = 0, nice = 0, system = 0, , , irq = 0, softIrq = 0, steal = 0] = line
    .split(/\s+/)
    .slice(1)
    .map(Number)
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return {
    at: performance.now(),
    byProcess: new Map(pids.flatMap((pid) => processTimes(pid, database))),
    busy: (user + nice + system + irq + softIrq) * msPerTick,
    stolen: steal * msPerTick,
  }
}

type ProcessTimes = [pid: number, cpu: ProcessCpu]

/** Nothing for a process that has ended. */
function processTimes(pid: number, database: string): ProcessTimes[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const isBackend = name === 'postgres' && commandOf(pid).includes(` ${database} `)
    return [[pid, { isBackend, ms: (Number(fields[11]) + Number(fields[12])) * msPerTick }]]
  } catch {
    return []
  }
}

/** A backend of PostgreSQL writes its user, database and client into its command line. */
const commandOf = (pid: number) => readFileSync(`/proc/${pid}/cmdline`, 'utf8')

/** CPU time between two points, in milliseconds. */
export interface CpuUse {
  readonly subject: number
  readonly postgres: number
  /** Cores that were used by others or stolen by the host. */
  readonly foreignCores: number
}

interface Known {
  /** The id of the process that is measured. */
  readonly subject: number
  /** CPU time of the load generator. */
  readonly own: number
}

export function cpuUse(from: CpuTimes, to: CpuTimes, { subject, own }: Known): CpuUse {
  let postgres = 0
  let ofSubject = 0
  for (const [pid, { isBackend, ms }] of to.byProcess) {
    const spent = ms - (from.byProcess.get(pid)?.ms ?? 0)
    if (pid === subject) ofSubject += spent
    if (isBackend) postgres += spent
  }
  const foreign = to.busy - from.busy - ofSubject - postgres - own
  const stolen = to.stolen - from.stolen
  return {
    subject: ofSubject,
    postgres,
    foreignCores: Math.max(0, foreign + stolen) / (to.at - from.at),
  }
}
