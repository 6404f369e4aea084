import { Button, Group, Text } from '@mantine/core'
import { useState } from 'react'

import { Tabs } from '#pages/import/parts/tabs.tsx'
import type { DryRunResult, ImportJob, RowOutcome } from '#pages/import/run/dry-run.ts'
import type { ImportSource } from '#pages/import/run/report.ts'
import { formatNumber, t } from '#text/index.ts'

import { recordsMax } from './before.ts'
import { ChangesTable } from './changes-table.tsx'
import { RowsTable } from './rows-table.tsx'

import classes from './preview.module.css'

interface Props {
  readonly job: ImportJob
  readonly source: ImportSource
  readonly dryRunResult: DryRunResult
}

type Choice = RowOutcome | 'left-out'

/** What the check found: the counts, and the rows of each outcome. */
export function Preview(props: Props) {
  const { counts } = props.dryRunResult
  const tabs = [
    { key: 'new', name: t('import.outcome.new'), count: counts.created },
    { key: 'changed', name: t('import.outcome.changed'), count: counts.changed },
    { key: 'unchanged', name: t('import.outcome.unchanged'), count: counts.unchanged },
    { key: 'left-out', name: t('import.report.left-out'), count: props.source.leftOut.size },
  ] as const satisfies readonly { key: Choice; name: string; count: number }[]
  const [choice, setChoice] = useState<Choice>(
    () => tabs.find(({ count }) => count > 0)?.key ?? 'new',
  )
  const count = tabs.find(({ key }) => key === choice)?.count ?? 0
  return (
    <div className={classes.preview}>
      <dl className={classes.counts}>
        {tabs.map((tab) => (
          <div key={tab.key} data-choice={tab.key} data-some={tab.count > 0}>
            <dt>{tab.name}</dt>
            <dd>{formatNumber(tab.count)}</dd>
          </div>
        ))}
      </dl>
      <Tabs label={t('import.preview')} tabs={tabs} current={choice} onChange={setChoice}>
        {count === 0 ? (
          <Text c="dimmed" p="md">
            {t('import.preview.none')}
          </Text>
        ) : (
          // Another tab starts with its first page.
          <Pages key={choice} {...props} choice={choice} count={count} />
        )}
      </Tabs>
    </div>
  )
}

interface PagesProps extends Props {
  readonly choice: Choice
  readonly count: number
}

/** The rows of a tab page by page: the records before the import are read for one page. */
function Pages(props: PagesProps) {
  const { count } = props
  const [first, setFirst] = useState(0)
  const last = Math.min(first + recordsMax, count)
  return (
    <>
      <RowsOf {...props} first={first} />
      {count > recordsMax && (
        <Group justify="space-between" p="xs">
          <Text size="sm" c="dimmed" role="status">
            {t('import.preview.page', { first: first + 1, last, count })}
          </Text>
          <Group gap="xs">
            <Button
              variant="default"
              disabled={first === 0}
              onClick={() => setFirst(first - recordsMax)}
            >
              {t('import.preview.previous')}
            </Button>
            <Button
              variant="default"
              disabled={last === count}
              onClick={() => setFirst(first + recordsMax)}
            >
              {t('import.preview.next')}
            </Button>
          </Group>
        </Group>
      )}
    </>
  )
}

function RowsOf({ job, source, dryRunResult, choice, first }: PagesProps & { first: number }) {
  const page = <T,>(all: readonly T[]) => all.slice(first, first + recordsMax)
  if (choice === 'changed') {
    const records = page([...dryRunResult.changed.values()])
    const imported = { kind: job.target.kind, columns: job.table.header.cells }
    return <ChangesTable imported={imported} records={records} />
  }
  if (choice === 'left-out') {
    const rows = [...source.leftOut].toSorted(([one], [other]) => one - other)
    const shown = page(rows).map(([line, reason]) => ({ line, cells: [reason] }))
    return <RowsTable header={[t('word.reason')]} rows={shown} />
  }
  const { header, rows } = job.table
  const found = rows.filter(({ line }) => dryRunResult.results.get(line)?.outcome === choice)
  return <RowsTable header={header.cells.map(source.nameOf)} rows={page(found)} />
}
