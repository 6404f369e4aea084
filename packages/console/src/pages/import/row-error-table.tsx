import { Code, Table as MantineTable, Text } from '@mantine/core'

import { formatNumber, t, type TextKey } from '#text/index.ts'

import { sentence, useReadableIds } from './parts/readable-ids.ts'
import type { RowError } from './run/dry-run.ts'

/** How to correct an error, by its code. */
const remedies: Readonly<Record<string, TextKey>> = {
  quote: 'import.fix.quote',
  cells: 'import.fix.cells',
  required: 'import.fix.required',
  wrong_type: 'import.fix.type',
  not_allowed: 'import.fix.words',
  wrong_form: 'import.fix.form',
  too_short: 'import.fix.form',
  too_long: 'import.fix.length',
  too_small: 'import.fix.number',
  too_large: 'import.fix.number',
  not_found: 'import.fix.id',
  repeated: 'import.fix.repeated',
  version_mismatch: 'import.fix.version',
  read_only_field: 'import.fix.read-only',
  email_taken: 'import.fix.taken',
  external_id_taken: 'import.fix.taken',
  unknown_reference: 'import.fix.person',
  not_assignable: 'import.fix.person',
  not_on_roster: 'import.fix.person',
  invalid_transition: 'import.fix.status',
}

const shownErrorsMax = 200

interface TableProps {
  readonly errors: readonly RowError[]
  /** The name of a column as the file has it. */
  readonly nameOf: (column: string) => string
}

/** The errors by row: the line in the file, the error and how to correct it. */
export function RowErrorTable({ errors, nameOf }: TableProps) {
  const more = errors.length - shownErrorsMax
  const shown = errors.slice(0, shownErrorsMax)
  const readable = useReadableIds(shown.flatMap(({ detail, value }) => [detail, value]))
  return (
    <>
      <MantineTable aria-label={t('import.errors')} layout="fixed" verticalSpacing="xs">
        <MantineTable.Thead>
          <MantineTable.Tr>
            <MantineTable.Th scope="col" w={64}>
              {t('import.line')}
            </MantineTable.Th>
            <MantineTable.Th scope="col" w="28%">
              {t('import.column')}
            </MantineTable.Th>
            <MantineTable.Th scope="col">{t('import.error')}</MantineTable.Th>
          </MantineTable.Tr>
        </MantineTable.Thead>
        <MantineTable.Tbody>
          {shown.map((rowError) => (
            <RowErrorRow
              key={`${rowError.line} ${rowError.column} ${rowError.code} ${rowError.detail}`}
              rowError={rowError}
              readable={readable}
              nameOf={nameOf}
            />
          ))}
        </MantineTable.Tbody>
      </MantineTable>
      {more > 0 && <Text size="sm">{t('import.errors.more', { count: more })}</Text>}
    </>
  )
}

interface RowProps extends Pick<TableProps, 'nameOf'> {
  readonly rowError: RowError
  readonly readable: (text: string) => string
}

function RowErrorRow({ rowError, readable, nameOf }: RowProps) {
  const { line, column, value, code, detail } = rowError
  return (
    <MantineTable.Tr>
      <MantineTable.Th scope="row" className="number">
        {formatNumber(line)}
      </MantineTable.Th>
      <MantineTable.Td className="wrap">
        {column === null ? t('import.row') : <Code className="wrap">{nameOf(column)}</Code>}
      </MantineTable.Td>
      <MantineTable.Td className="wrap">
        <Text size="sm" fw={600}>
          {sentence(readable(detail))}
        </Text>
        {column !== null && (
          <Text size="sm" lineClamp={2}>
            {value === '' ? t('import.value.none') : t('import.value', { value: readable(value) })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t(remedies[code] ?? 'import.fix.other')}
        </Text>
      </MantineTable.Td>
    </MantineTable.Tr>
  )
}
