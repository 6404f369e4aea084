import type { Person } from '@muster/contract'

import { t } from '#text/index.ts'

export type StatusAction = 'suspend' | 'resume' | 'depart' | 'rejoin' | 'erase'

const has =
  (...statuses: Person['status'][]) =>
  ({ status }: Person) =>
    statuses.includes(status)

/** The required status of each change, with the reason to show otherwise. */
const requirements = {
  suspend: [
    [has('active', 'suspended'), 'person.has-left'],
    [has('active'), 'person.is-suspended'],
  ],
  resume: [
    [has('active', 'suspended'), 'person.has-left'],
    [has('suspended'), 'person.not-suspended'],
  ],
  depart: [[has('active', 'suspended'), 'person.left-already']],
  rejoin: [[has('departed'), 'person.not-left']],
  erase: [[has('departed'), 'person.erase.only-departed']],
} as const

/** Why the change is not possible in the person's current status; null if it is. */
export function statusReason(change: StatusAction | 'edit', person: Person): string | null {
  if (person.erased_at !== null) return t('person.is-erased')
  if (change === 'edit') return null
  const unmet = requirements[change].find(([isMet]) => !isMet(person))
  return unmet ? t(unmet[1], { name: person.name }) : null
}
