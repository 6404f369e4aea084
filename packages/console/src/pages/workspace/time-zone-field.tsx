import { Select, type SelectProps } from '@mantine/core'

import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { t } from '#text/index.ts'

import { currentTimeIn } from './time-zone.ts'

/** Some browsers do not list UTC. */
const zones = [...new Set(['UTC', ...Intl.supportedValuesOf('timeZone')])]

/** The number of options shown; typing finds the others. */
const shownZonesMax = 100

interface Props extends Omit<SelectProps, 'data'> {
  readonly value: string
}

/** The time zones of the browser, plus the current value if it is not among them. */
export function TimeZoneField({ value, ...props }: Props) {
  const options = zones.includes(value) ? zones : [value, ...zones]
  return (
    <Select
      {...scrollableDropdown}
      label={t('word.time-zone')}
      description={t('workspace.zone.now', { time: currentTimeIn(value) })}
      searchable
      allowDeselect={false}
      limit={shownZonesMax}
      nothingFoundMessage={t('workspace.zone.nothing')}
      data={options.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }))}
      value={value}
      {...props}
    />
  )
}
