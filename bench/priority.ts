import { readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/** Linux groups processes by session and shares the CPU among the groups. */
const groups = '/proc/sys/kernel/sched_autogroup_enabled'

let isRaised = isOn()

function isOn(): boolean {
  try {
    return process.getuid?.() === 0 && readFileSync(groups, 'utf8').trim() === '1'
  } catch {
    return false
  }
}

/** Whether every process that is measured goes before all others of the machine. */
export const isIsolated = () => isRaised

const highest = -19

/**
 * Gives a process and its session the highest priority, as root. `nice` alone has no effect beyond
 * a session. The session must be of the process alone. It ends with the process, so nothing has to
 * be restored.
 */
export function raisePriority(pid: number | undefined): void {
  if (!isRaised || pid === undefined) return
  try {
    setPriority(pid, highest)
    writeFileSync(`/proc/${pid}/autogroup`, String(highest))
  } catch (error) {
    // A process that has just ended needs no priority.
    if (!(error instanceof Error && /ESRCH|ENOENT/.test(error.message))) isRaised = false
  }
}
