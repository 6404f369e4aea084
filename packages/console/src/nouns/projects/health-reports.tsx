import type { HistoryEntry, Project } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'

import { allItems, type Pages } from '#data/lists.ts'
import { HealthName } from '#kit/parts/health.tsx'
import { Avatar } from '#kit/parts/person.tsx'
import { RecordSection } from '#kit/record/record-page.tsx'
import { formatAge, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import classes from './projects.module.css'

interface Report {
  readonly entry: HistoryEntry
  readonly health: Project['health']
  readonly note: string | null
}

/** The reports in the history, newest first. A change of the note alone keeps the health. */
function reportsIn(entries: readonly HistoryEntry[]): readonly Report[] {
  const reports: Report[] = []
  for (const entry of entries) {
    const change = (field: string) => entry.changes.find((each) => each.field === field)
    const [health, note] = [change('health'), change('health_note')]
    if (health === undefined && note === undefined) continue
    const last = reports.at(-1)
    reports.push({
      entry,
      // The casts hold because these fields have these types.
      health: health ? (health.to as Project['health']) : (last?.health ?? null),
      note: note ? (note.to as string | null) : (last?.note ?? null),
    })
  }
  return reports.filter(({ health, note }) => health !== null || note !== null).toReversed()
}

const shownMax = 3

/** The entries of the reports that have a card. */
export const reportedIn = (entries: readonly HistoryEntry[]): ReadonlySet<number> =>
  new Set(
    reportsIn(entries)
      .slice(0, shownMax)
      .filter(({ entry }) => entry.changes.every(({ field }) => field.startsWith('health')))
      .map(({ entry }) => entry.seq),
  )

/** The last reports of the health. The earlier ones are in the activity. */
export function HealthReports({
  query,
}: {
  readonly query: UseInfiniteQueryResult<Pages<HistoryEntry>>
}) {
  const reports = reportsIn(allItems(query.data))
  const more = reports.length - shownMax
  return (
    <RecordSection
      title={t('project.reports')}
      aside={more > 0 && t('project.reports.more', { count: more })}
    >
      {reports.length === 0 && query.isSuccess && (
        <p className={classes.none}>{t('health.none')}</p>
      )}
      <ol className={classes.reports}>
        {reports.slice(0, shownMax).map((report) => (
          <ReportCard key={report.entry.seq} report={report} />
        ))}
      </ol>
    </RecordSection>
  )
}

function ReportCard({ report: { entry, health, note } }: { readonly report: Report }) {
  const { actor, occurred_at } = entry
  const name = actor.name ?? t(`actor.name.${actor.type}`)
  return (
    <li className={classes.reportCard}>
      <div className={classes.reportHead}>
        <Avatar name={name} isInactive={actor.type !== 'person'} />
        <b>{name}</b>
        <HealthName health={health} />
        <time dateTime={occurred_at} title={formatInstant(occurred_at)}>
          {formatAge(occurred_at)}
        </time>
      </div>
      {note !== null && <p className={classes.reportText}>{note}</p>}
    </li>
  )
}
