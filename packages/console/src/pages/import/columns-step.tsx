import { Button, Group, NativeSelect, Radio, Stack, Table, Text } from '@mantine/core'

import { ActionButton } from '#kit/parts/action-button.tsx'
import { Section } from '#kit/parts/page.tsx'
import { t } from '#text/index.ts'

import { dayOf } from './cells/day.ts'
import type { DayOrder } from './columns/field.ts'
import { fieldsOf, type Kind } from './columns/fields.ts'
import type { Identity } from './columns/identity.ts'
import { isSetByService, samplesOf } from './columns/match.ts'
import { BarActions } from './parts/bar-actions.tsx'
import type { Sheet } from './read/sheet.ts'
import type { ColumnChoices } from './use-columns.ts'

import classes from './import.module.css'

interface Props {
  readonly sheet: Sheet
  readonly kind: Kind
  readonly columns: ColumnChoices
  readonly onNext: () => void
}

/** Says what each column of the file becomes. */
export function ColumnsStep(props: Props) {
  const { sheet, columns, onNext } = props
  return (
    <Section title={t('import.columns')}>
      <BarActions>
        <ActionButton variant="filled" onClick={onNext} reason={reasonOf(columns)}>
          {t('import.next')}
        </ActionButton>
      </BarActions>
      <Stack>
        <Group gap="xs">
          <Text size="sm" c="dimmed">
            {formatText(sheet)}
          </Text>
          {columns.isRecalled && <LastTime forget={columns.forget} />}
        </Group>
        <ColumnTable {...props} />
        {columns.asked.map((at) => (
          <OrderField key={at} at={at} sheet={sheet} columns={columns} />
        ))}
        <IdentityField columns={columns} />
        <Text size="sm" role="status">
          {reasonOf(columns)}
        </Text>
      </Stack>
    </Section>
  )
}

const LastTime = ({ forget }: Pick<ColumnChoices, 'forget'>) => (
  <>
    <Text size="sm" fw={600}>
      {t('import.columns.last-time')}
    </Text>
    <Button variant="subtle" size="compact-sm" onClick={forget}>
      {t('import.columns.forget')}
    </Button>
  </>
)

function formatText({ format, rows }: Sheet): string {
  const count = t('import.rows', { count: rows.length })
  if (format.type === 'xlsx') return t('import.format.xlsx', { count, name: format.name })
  const { encoding, separator } = format
  return t('import.format.csv', { count, encoding, separator: separatorText(separator) })
}

function separatorText(separator: ',' | ';' | '\t'): string {
  if (separator === '\t') return t('import.separator.tab')
  return t(separator === ';' ? 'import.separator.semicolon' : 'import.separator.comma')
}

/** Why the columns are not complete. */
function reasonOf({ missing, orders, needsProject }: ColumnChoices): string | null {
  if (missing.length > 0) {
    return t('import.columns.missing', { fields: missing.map((each) => t(each.label)).join(', ') })
  }
  if (orders.includes(null)) return t('import.order.missing')
  return needsProject ? t('import.columns.project') : null
}

function ColumnTable(props: Props) {
  return (
    <Table.ScrollContainer
      type="native"
      minWidth={0}
      className={classes.scroll}
      role="region"
      aria-label={t('import.columns')}
      tabIndex={0}
    >
      <Table aria-label={t('import.columns')} verticalSpacing={6}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('import.columns.file')}</Table.Th>
            <Table.Th scope="col">{t('import.columns.becomes')}</Table.Th>
            <Table.Th scope="col">{t('import.columns.samples')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {Array.from(props.sheet.columns.entries(), ([at, name]) => (
            // Two columns can have the same name.
            <ColumnRow key={at} {...props} name={name} at={at} />
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

interface ColumnRowProps extends Props {
  readonly name: string
  readonly at: number
}

function ColumnRow({ sheet, kind, columns, name, at }: ColumnRowProps) {
  const fields = fieldsOf[kind]
  const field = columns.mapping[at] ?? null
  const shown = name || t('import.columns.unnamed', { number: at + 1 })
  return (
    <Table.Tr>
      <Table.Th scope="row" className={classes.cell}>
        {shown}
      </Table.Th>
      <Table.Td>
        <NativeSelect
          aria-label={t('import.columns.field', { name: shown })}
          value={field?.name ?? ''}
          onChange={({ currentTarget: { value } }) =>
            columns.setField(at, fields.find((each) => each.name === value) ?? null)
          }
          data={[
            { value: '', label: t('import.columns.ignore') },
            ...fields.map((each) => ({ value: each.name, label: t(each.label) })),
          ]}
          miw={150}
        />
      </Table.Td>
      <Table.Td className={classes.samples}>
        <span>{samplesOf(sheet.rows, at).join(' · ')}</span>
        {field === null && isSetByService(name) && (
          <Text size="sm" c="dimmed">
            {t('import.columns.own')}
          </Text>
        )}
      </Table.Td>
    </Table.Tr>
  )
}

interface OrderFieldProps extends Pick<Props, 'sheet' | 'columns'> {
  readonly at: number
}

const orders: readonly DayOrder[] = ['day-first', 'month-first']

/** Asks which part of 2/3/2027 is the day. */
function OrderField({ at, sheet, columns }: OrderFieldProps) {
  const sample = samplesOf(sheet.rows, at).find(
    (text) => dayOf(text, 'day-first') !== dayOf(text, 'month-first'),
  )
  return (
    <Radio.Group
      label={t('import.order', { name: sheet.columns[at] ?? '' })}
      value={columns.orders[at] ?? null}
      onChange={(value) => columns.setOrder(at, value === 'month-first' ? value : 'day-first')}
    >
      <Stack gap={6} mt={6}>
        {orders.map((order) => (
          <Radio
            key={order}
            value={order}
            label={t(`import.order.${order}`, {
              sample: sample ?? '',
              day: dayOf(sample ?? '', order) ?? '—',
            })}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}

function IdentityField({ columns: { identities, identity, setIdentity } }: Pick<Props, 'columns'>) {
  const isOffered = (value: string): value is Identity => identities.some((each) => each === value)
  return (
    <NativeSelect
      label={t('import.identity')}
      description={t(`import.identity.about.${identity}`)}
      value={identity}
      onChange={({ currentTarget: { value } }) => isOffered(value) && setIdentity(value)}
      data={identities.map((value) => ({ value, label: t(`import.identity.${value}`) }))}
      maw={420}
    />
  )
}
