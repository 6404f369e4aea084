import { Button } from '@mantine/core'
import type { ChangedIssue, ChangedNoun, ChangedProject, ChangedRisk } from '@muster/contract'
import { type ReactNode, useState } from 'react'

import { issueAddress, projectAddress } from '#data/addresses.ts'
import { signed } from '#kit/charts/bridge-chart.tsx'
import { ScoreSparkline } from '#kit/charts/sparklines.tsx'
import { HealthShape } from '#kit/parts/health.tsx'
import { AnchorLink, IssueLink, RiskLink } from '#kit/parts/links.tsx'
import { SeverityChip } from '#kit/parts/score.tsx'
import { isLive, issueRefs, leftAt, pointsOf, sparkRange } from '#nouns/changes/moves.ts'
import type { ChangeEntry, Changes } from '#nouns/changes/queries.ts'
import { RankChange, ScoreChange } from '#nouns/changes/score-change.tsx'
import { summarizeIssue, summarizeProject, summarizeRisk } from '#nouns/changes/summary.ts'
import { t, type TextKey } from '#text/index.ts'
import type { Names } from '#text/values.ts'

import { EntryRow } from './entry-row.tsx'

import classes from './changes-page.module.css'

/** The groups of each noun, in the order of importance. */
const orders = {
  risks: ['rose', 'fell', 'entered', 'left', 'decided', 'handed_over', 'became_due', 'edited'],
  issues: [
    'opened',
    'reopened',
    'worsened',
    'blocked',
    'eased',
    'closed',
    'handed_over',
    'became_due',
    'edited',
  ],
  projects: ['health'],
} as const satisfies Record<ChangedNoun, readonly string[]>

interface Props {
  readonly changes: Changes
  readonly names: Names
}

/** The risks by kind of change. The points of the groups add up to the change of the exposure. */
export function RiskGroups({ changes, names }: Props) {
  const refs = issueRefs(changes.issues)
  const ids = issueIds(changes)
  return orders.risks.map((group) => (
    <Group
      key={group}
      title={`changes.risks.${group}`}
      entries={sorted(changes.risks[group])}
      points={changes.risks[group].reduce((sum, risk) => sum + pointsOf(risk), 0)}
      isFolded={group === 'edited'}
      isLong={isLong(changes)}
      row={(risk) => (
        <EntryRow
          key={risk.id}
          entry={risk}
          names={names}
          summary={summarizeRisk(risk, group, names)}
          change={<ScoreChange before={risk.before} after={risk.after} />}
          rank={<RankChange before={risk.before} after={risk.after} />}
          link={<RiskLink item={{ id: risk.id, project_id: risk.project.id, title: risk.title }} />}
          end={<Became risk={risk} text={refs.get(risk.id)} id={ids.get(risk.id)} />}
          spark={<Spark risk={risk} isLeft={!isLive(risk.after)} />}
        />
      )}
    />
  ))
}

/** The ids of issues by the risk that occurred as them. */
const issueIds = ({ issues }: Changes) =>
  new Map(
    Object.values(issues)
      .flat()
      .map(({ risk_id, id }) => [risk_id ?? '', id] as const),
  )

interface BecameProps {
  readonly risk: ChangedRisk
  readonly text: string | undefined
  readonly id: string | undefined
}

const Became = ({ risk, text, id }: BecameProps) =>
  risk.after?.status === 'occurred' &&
  text !== undefined &&
  id !== undefined && (
    <AnchorLink
      {...issueAddress({ id, project_id: risk.project.id })}
      className={classes.became}
      inherit
    >
      {text}
    </AnchorLink>
  )

const Spark = ({ risk, isLeft }: { readonly risk: ChangedRisk; readonly isLeft: boolean }) => (
  <ScoreSparkline
    itemRef={risk.ref}
    scores={(risk.scores ?? []).map(({ score, changed_at }) => ({
      score,
      time: Date.parse(changed_at),
    }))}
    level={(risk.after ?? risk.before)?.level ?? 'low'}
    range={sparkRange()}
    leftAt={isLeft ? leftAt({ risk, group: 'left' }) : null}
  />
)

export function IssueGroups({ changes, names }: Props) {
  return orders.issues.map((group) => (
    <Group
      key={group}
      title={`changes.issues.${group}`}
      entries={sorted(changes.issues[group])}
      isFolded={group === 'edited'}
      isLong={isLong(changes)}
      row={(issue) => (
        <EntryRow
          key={issue.id}
          entry={issue}
          names={names}
          summary={summarizeIssue(issue, group, names)}
          change={<SeverityChange {...issue} />}
          link={
            <IssueLink item={{ id: issue.id, project_id: issue.project.id, title: issue.title }} />
          }
        />
      )}
    />
  ))
}

const SeverityChange = ({ before, after }: Pick<ChangedIssue, 'before' | 'after'>) => (
  <>
    {before && before.severity !== after?.severity && (
      <>
        <SeverityChip severity={before.severity} />
        {after && <Arrow />}
      </>
    )}
    {after && <SeverityChip severity={after.severity} />}
  </>
)

const Arrow = () => (
  <>
    <span aria-hidden> → </span>
    <span className={classes.hidden}>{t('changes.to')}</span>
  </>
)

export function ProjectGroups({ changes, names }: Props) {
  return (
    <Group
      title="changes.projects.health"
      entries={sorted(changes.projects.health)}
      isFolded={false}
      isLong={isLong(changes)}
      row={(project) => (
        <EntryRow
          key={project.id}
          entry={project}
          names={names}
          summary={summarizeProject(project)}
          change={<HealthChange {...project} />}
          link={
            <AnchorLink {...projectAddress({ id: project.id })} inherit>
              {project.title}
            </AnchorLink>
          }
        />
      )}
    />
  )
}

const HealthChange = ({ before, after }: Pick<ChangedProject, 'before' | 'after'>) => (
  <>
    {before && before.health !== after?.health && (
      <>
        <HealthShape health={before.health} />
        <Arrow />
      </>
    )}
    <HealthShape health={after?.health ?? null} />
  </>
)

const sorted = <T extends ChangeEntry>(entries: readonly T[]) =>
  entries.toSorted((a, b) => weight(b) - weight(a) || a.ref.localeCompare(b.ref))

/** The higher rating of both ends. */
function weight({ before, after }: ChangeEntry): number {
  const of = (state: ChangeEntry['before']) =>
    state === null ? 0 : 'score' in state ? state.score : 'severity' in state ? state.severity : 0
  return Math.max(of(before), of(after))
}

/** Groups of many entries are cut, so that all of them can be seen. */
const isLong = ({ risks, issues }: Changes) =>
  [...Object.values(risks), ...Object.values(issues)].reduce((sum, each) => sum + each.length, 0) >
  200

const cutAt = 20

interface GroupProps<T> {
  readonly title: TextKey
  readonly entries: readonly T[]
  readonly points?: number
  readonly isFolded: boolean
  readonly isLong: boolean
  readonly row: (entry: T) => ReactNode
}

function Group<T>({ title, entries, points = 0, isFolded, isLong: hasMany, row }: GroupProps<T>) {
  const [isWhole, setWhole] = useState(false)
  if (entries.length === 0) return null
  const max = isWhole ? entries.length : isFolded ? 0 : hasMany ? cutAt : entries.length
  return (
    <section className={classes.group} aria-label={t(title)}>
      <h2>
        {t(title)} <span>{entries.length}</span>
        {points !== 0 && (
          <em>{t('changes.points', { count: Math.abs(points), points: signed(points) })}</em>
        )}
      </h2>
      <ul>{entries.slice(0, max).map(row)}</ul>
      {max < entries.length && (
        <Button variant="subtle" size="compact-sm" m={6} onClick={() => setWhole(true)}>
          {t('changes.more', { count: entries.length })}
        </Button>
      )}
    </section>
  )
}
