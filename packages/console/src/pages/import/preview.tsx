import { SegmentedControl, Stack, Table as MantineTable, Text } from '@mantine/core'
import { useState } from 'react'

import type { CsvRow, Table } from '#data/parse-csv.ts'
import { formatNumber, t } from '#text/index.ts'

import type { DryRunResult, Results, RowOutcome } from './dry-run.ts'
import { useReadableIds } from './readable-ids.ts'

import classes from './import.module.css'

interface Props {
  readonly table: Table
  readonly dryRunResult: DryRunResult
  /** The number of rows that are not imported. */
  readonly leftOut: number
  /** The name of a column as the file has it. */
  readonly nameOf: (column: string) => string
}

const shownMax = 10

type Choice = RowOutcome | 'all'
const choices: readonly Choice[] = ['all', 'new', 'changed', 'unchanged']

/** The counts of the dry run and the first rows of each outcome. */
export function Preview({ table, dryRunResult, leftOut, nameOf }: Props) {
  const { counts, results } = dryRunResult
  const [choice, setChoice] = useState<Choice>('all')
  const rows = table.rows.filter(
    ({ line }) => choice === 'all' || results.get(line)?.outcome === choice,
  )
  const more = rows.length - shownMax
  return (
    <Stack>
      <dl className={classes.counts}>
        <Count name={t('import.outcome.new')} count={counts.created} />
        <Count name={t('import.outcome.changed')} count={counts.changed} />
        <Count name={t('import.outcome.unchanged')} count={counts.unchanged} />
        {leftOut > 0 && <Count name={t('import.report.left-out')} count={leftOut} />}
      </dl>
      <h3 className={classes.sample}>{t('import.sample')}</h3>
      <SegmentedControl
        aria-label={t('import.sample')}
        data={choices.map((value) => ({
          value,
          label: value === 'all' ? t('word.all') : t(`import.outcome.${value}`),
        }))}
        value={choice}
        onChange={(value) => setChoice(value)}
        maw={420}
      />
      <Sample
        header={table.header.cells.map(nameOf)}
        rows={rows.slice(0, shownMax)}
        results={results}
      />
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {t('import.more', { count: more })}
        </Text>
      )}
    </Stack>
  )
}

function Count({ name, count }: { readonly name: string; readonly count: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{formatNumber(count)}</dd>
    </div>
  )
}

interface SampleProps {
  readonly header: readonly string[]
  readonly rows: readonly CsvRow[]
  readonly results: Results
}

/** An export has many columns, so the table scrolls horizontally, also by keyboard. */
function Sample({ header, rows, results }: SampleProps) {
  const readable = useReadableIds(rows.flatMap(({ cells }) => cells))
  return (
    <MantineTable.ScrollContainer
      type="native"
      minWidth={0}
      className={classes.scroll}
      role="region"
      aria-label={t('import.sample')}
      tabIndex={0}
    >
      <MantineTable aria-label={t('import.sample')}>
        <MantineTable.Thead>
          <MantineTable.Tr>
            <MantineTable.Th scope="col">{t('import.line')}</MantineTable.Th>
            <MantineTable.Th scope="col">{t('import.outcome')}</MantineTable.Th>
            {header.map((column) => (
              <MantineTable.Th key={column} scope="col">
                {column}
              </MantineTable.Th>
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {rows.map(({ line, cells }) => (
            <MantineTable.Tr key={line}>
              <MantineTable.Td className="number">{formatNumber(line)}</MantineTable.Td>
              <MantineTable.Td>
                {t(`import.outcome.${results.get(line)?.outcome ?? 'new'}`)}
              </MantineTable.Td>
              {header.map((column, at) => (
                <MantineTable.Td key={column}>
                  <Text size="sm" lineClamp={3} className={classes.cell}>
                    {readable(cells[at] ?? '')}
                  </Text>
                </MantineTable.Td>
              ))}
            </MantineTable.Tr>
          ))}
        </MantineTable.Tbody>
      </MantineTable>
    </MantineTable.ScrollContainer>
  )
}
