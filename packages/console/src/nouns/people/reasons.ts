import type { Person } from '@muster/contract'

export type StatusAction = 'suspend' | 'resume' | 'depart' | 'rejoin' | 'erase'

/** The statuses in which each change is possible. */
const requirements: Readonly<Record<StatusAction, readonly Person['status'][]>> = {
  suspend: ['active'],
  resume: ['suspended'],
  depart: ['active', 'suspended'],
  rejoin: ['departed'],
  erase: ['departed'],
}

/** Whether the change is possible in the person's current status. */
export const isPossible = (change: StatusAction | 'edit', person: Person): boolean =>
  person.erased_at === null && (change === 'edit' || requirements[change].includes(person.status))
