import { Code, Table as Sheet, Text } from '@mantine/core'

import { formatNumber, t, type TextKey } from '#text/index.ts'

import type { RowFlaw } from './rehearse.ts'

import classes from './import.module.css'

/** What to do about a flaw, by its code. */
const fixes: Readonly<Record<string, TextKey>> = {
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

const shownMost = 200

/** Row by row: where it is in the file, what is wrong, and what to do. */
export function Flaws({ flaws }: { readonly flaws: readonly RowFlaw[] }) {
  const more = flaws.length - shownMost
  return (
    <>
      <Sheet aria-label={t('import.flaws')} layout="fixed" verticalSpacing="xs">
        <Sheet.Thead>
          <Sheet.Tr>
            <Sheet.Th scope="col" className={classes.line}>
              {t('import.line')}
            </Sheet.Th>
            <Sheet.Th scope="col" className={classes.column}>
              {t('import.column')}
            </Sheet.Th>
            <Sheet.Th scope="col">{t('import.flaw')}</Sheet.Th>
          </Sheet.Tr>
        </Sheet.Thead>
        <Sheet.Tbody>
          {flaws.slice(0, shownMost).map((flaw) => (
            <FlawRow key={`${flaw.line} ${flaw.column} ${flaw.code} ${flaw.detail}`} flaw={flaw} />
          ))}
        </Sheet.Tbody>
      </Sheet>
      {more > 0 && <Text size="sm">{t('import.flaws.more', { count: more })}</Text>}
    </>
  )
}

function FlawRow({ flaw: { line, column, value, code, detail } }: { readonly flaw: RowFlaw }) {
  return (
    <Sheet.Tr>
      <Sheet.Th scope="row" className="number">
        {formatNumber(line)}
      </Sheet.Th>
      <Sheet.Td className="wrap">
        {column === null ? t('import.row') : <Code className="wrap">{column}</Code>}
      </Sheet.Td>
      <Sheet.Td className="wrap">
        <Text size="sm" fw={600}>
          {sentence(detail)}
        </Text>
        {column !== null && (
          <Text size="sm" lineClamp={2}>
            {value === '' ? t('import.value.none') : t('import.value', { value })}
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t(fixes[code] ?? 'import.fix.other')}
        </Text>
      </Sheet.Td>
    </Sheet.Tr>
  )
}

const sentence = (detail: string) =>
  `${detail.charAt(0).toUpperCase()}${detail.slice(1).replace(/\.$/, '')}.`
