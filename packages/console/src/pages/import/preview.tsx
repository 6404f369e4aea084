import { Stack, Table as MantineTable, Text } from '@mantine/core'

import type { Table } from '#data/parse-csv.ts'
import { formatNumber, t } from '#text/index.ts'

import { type DryRunResult, previewRowsMax } from './dry-run.ts'
import { useReadableIds } from './readable-ids.ts'

import classes from './import.module.css'

interface Props {
  readonly table: Table
  readonly dryRunResult: DryRunResult
}

/** The counts of the dry run and the first rows. */
export function Preview({ table, dryRunResult }: Props) {
  const { counts } = dryRunResult
  const more = table.rows.length - previewRowsMax
  return (
    <Stack>
      <dl className={classes.counts}>
        <Count name={t('import.outcome.new')} count={counts.created} />
        <Count name={t('import.outcome.changed')} count={counts.changed} />
        <Count name={t('import.outcome.unchanged')} count={counts.unchanged} />
      </dl>
      <h3 className={classes.sample}>{t('import.sample')}</h3>
      <Sample table={table} dryRunResult={dryRunResult} />
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

/** An export has many columns, so the table scrolls horizontally, also by keyboard. */
function Sample({ table: { header, rows }, dryRunResult: { outcomes } }: Props) {
  const shown = rows.slice(0, previewRowsMax)
  const readable = useReadableIds(shown.flatMap(({ cells }) => cells))
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
            {header.cells.map((column) => (
              <MantineTable.Th key={column} scope="col">
                {column}
              </MantineTable.Th>
            ))}
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {shown.map(({ line, cells }, index) => (
            <MantineTable.Tr key={line}>
              <MantineTable.Td className="number">{formatNumber(line)}</MantineTable.Td>
              <MantineTable.Td>{t(`import.outcome.${outcomes[index] ?? 'new'}`)}</MantineTable.Td>
              {header.cells.map((column, at) => (
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
