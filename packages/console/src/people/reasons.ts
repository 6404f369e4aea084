import type { Person } from '@muster/contract'

import { t } from '#text/index.ts'

export type LifeChange = 'suspend' | 'resume' | 'depart' | 'rejoin' | 'erase'

const has =
  (...statuses: Person['status'][]) =>
  ({ status }: Person) =>
    statuses.includes(status)

/** What each change asks of a person, and what to say of one who is otherwise. */
const asks = {
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

/** Why something cannot happen to a person as they are now; null when it can. */
export function reasonInState(change: LifeChange | 'edit', person: Person): string | null {
  if (person.erased_at !== null) return t('person.is-erased')
  if (change === 'edit') return null
  const unmet = asks[change].find(([isMet]) => !isMet(person))
  return unmet ? t(unmet[1], { name: person.name }) : null
}
