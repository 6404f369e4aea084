import { Select, type SelectProps } from '@mantine/core'

import { t } from '#text/index.ts'
import { scrolling } from '#ui/picker.ts'

import { timeIn } from './zone.ts'

/** Not every browser counts UTC among the zones. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** So many are offered at once; one types to find the others. */
const most = 100

interface Props extends Omit<SelectProps, 'data'> {
  readonly value: string
}

/** The zones that the browser knows, and the one that is set, whatever it is. */
export function ZoneField({ value, ...props }: Props) {
  const known = zones.includes(value) ? zones : [value, ...zones]
  return (
    <Select
      {...scrolling}
      label={t('workspace.zone')}
      description={t('workspace.zone.now', { time: timeIn(value) })}
      searchable
      allowDeselect={false}
      limit={most}
      nothingFoundMessage={t('workspace.zone.nothing')}
      data={known.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      {...props}
    />
  )
}
