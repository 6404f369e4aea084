import type { IssueGroup, RiskGroup } from '@muster/contract'

import type { ChangeEntry, Changes } from '#nouns/changes/queries.ts'
import type { TextKey } from '#text/index.ts'

/** What someone else did, and the words for it between their name and the record. */
export interface Deed {
  readonly entry: ChangeEntry
  readonly step: ChangeEntry['steps'][number]
  readonly text: TextKey
}

/** The groups that are worth a line. A date that passed and an edited text are not. */
const riskTexts = {
  rose: 'overview.since.rose',
  fell: 'overview.since.fell',
  handed_over: 'overview.since.handed_over',
  decided: 'overview.since.decided',
} as const satisfies Partial<Record<RiskGroup, TextKey>>

const issueTexts = {
  opened: 'overview.since.opened',
  reopened: 'overview.since.reopened',
  closed: 'overview.since.closed',
  worsened: 'overview.since.worsened',
  eased: 'overview.since.eased',
  blocked: 'overview.since.blocked',
  handed_over: 'overview.since.handed_over',
} as const satisfies Partial<Record<IssueGroup, TextKey>>

type TextOf = (entry: ChangeEntry) => TextKey

/** What others did, the latest first. */
export function deedsOf({ risks, issues, projects }: Changes, me: string | undefined): Deed[] {
  const of = (entries: readonly ChangeEntry[], textOf: TextOf) =>
    entries.flatMap((entry): Deed[] => {
      const step = entry.steps.findLast(
        ({ actor }) => actor.type !== 'system' && (me === undefined || actor.user_id !== me),
      )
      return step === undefined ? [] : [{ entry, step, text: textOf(entry) }]
    })
  return [
    ...keysOf(riskTexts).flatMap((group) => of(risks[group], () => riskTexts[group])),
    ...risks.entered.flatMap((risk) =>
      of([risk], () => (risk.before === null ? 'overview.since.added' : 'overview.since.reopened')),
    ),
    ...risks.left.flatMap((risk) =>
      of([risk], () =>
        risk.after?.status === 'occurred' ? 'overview.since.occurred' : 'overview.since.closed',
      ),
    ),
    ...keysOf(issueTexts).flatMap((group) => of(issues[group], () => issueTexts[group])),
    ...of(projects.health, () => 'overview.since.health'),
  ].toSorted((a, b) => b.step.occurred_at.localeCompare(a.step.occurred_at))
}

// The cast holds because the objects have no other keys.
const keysOf = <K extends string>(texts: Readonly<Record<K, TextKey>>) => Object.keys(texts) as K[]
