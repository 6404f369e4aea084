import { Popover } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { t } from '#text/index.ts'

import { FilterFields } from './filter-menu-fields.tsx'
import { FilterButton, type FilterField } from './filter-menu.tsx'
import type { Filters } from './filters.ts'

interface Props {
  readonly filters: Filters
  readonly fields: readonly FilterField[]
  /** It opens when this number grows, and on mount if it is not zero. */
  readonly openings: number
}

/** The fields of the filters. */
export function FilterPopover({ filters, fields, openings }: Props) {
  const [isOpen, setOpen] = useState(false)
  const isPressInside = useRef(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (openings === 0) return
    // The popover returns the focus to what had it before.
    button.current?.focus()
    setOpen(true)
  }, [openings])
  return (
    <Popover
      opened={isOpen}
      onChange={(next) => setOpen(next || isPressInside.current)}
      position="bottom-start"
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <FilterButton ref={button} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)} />
      </Popover.Target>
      <Popover.Dropdown
        aria-label={t('filter.title')}
        onMouseDown={() => {
          // The options of a field are in a portal: Mantine takes a press on them for one outside.
          isPressInside.current = true
          setTimeout(() => (isPressInside.current = false))
        }}
      >
        {isOpen && <FilterFields filters={filters} fields={fields} />}
      </Popover.Dropdown>
    </Popover>
  )
}
