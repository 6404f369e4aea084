import { Table, Text } from '@mantine/core'

import type { CsvRow } from '#data/parse-csv.ts'
import { useReadableIds } from '#pages/import/parts/readable-ids.ts'
import { formatNumber, t } from '#text/index.ts'

import { TableFrame } from './table-frame.tsx'

import classes from './preview.module.css'

interface Props {
  /** The names of the columns as the file has them. */
  readonly header: readonly string[]
  readonly rows: readonly Pick<CsvRow, 'line' | 'cells'>[]
}

/** Rows as they are imported. */
export function RowsTable({ header, rows }: Props) {
  const readable = useReadableIds(rows.flatMap(({ cells }) => cells))
  return (
    <TableFrame label={t('import.preview')}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th scope="col">{t('import.line')}</Table.Th>
          {Array.from(header.entries(), ([at, column]) => (
            <Table.Th key={at} scope="col">
              {column}
            </Table.Th>
          ))}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows.map(({ line, cells }) => (
          <Table.Tr key={line}>
            <Table.Td className="number">{formatNumber(line)}</Table.Td>
            {Array.from(header.keys(), (at) => (
              <Table.Td key={at}>
                <Text size="sm" lineClamp={3} className={classes.cell}>
                  {readable(cells[at] ?? '')}
                </Text>
              </Table.Td>
            ))}
          </Table.Tr>
        ))}
      </Table.Tbody>
    </TableFrame>
  )
}
