import { Autocomplete, Button, Checkbox, Group, Text } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'

import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { scrollableDropdown } from '#kit/references/scrollable-dropdown.ts'
import { findEqualCells, isSame, textAt } from '#pages/import/cells/judge.ts'
import { fieldAt, type Place, type Plan, type WrongCell } from '#pages/import/cells/plan.ts'
import type { Cells } from '#pages/import/cells/use-cells.ts'
import { sentence, useReadableIds } from '#pages/import/parts/readable-ids.ts'
import { t } from '#text/index.ts'

import { isValid, offeredAt, valueOf } from './values.ts'
import { WhatIsLeft } from './what-is-left.tsx'

import classes from './fix.module.css'

interface Props extends Pick<Cells, 'cells' | 'edits'> {
  readonly plan: Plan
  readonly selected: Place
  readonly fieldRef: RefObject<HTMLInputElement | null>
  /** Whether the field takes the focus now. It is asked once. */
  readonly takesFocus: () => boolean
  readonly onUse: (places: readonly [Place, ...Place[]], text: string) => void
  readonly onLeave: () => void
}

/** The selected cell: what is wrong, and the field for another value. */
export function FixPanel(props: Props) {
  const { plan, cells, edits, selected } = props
  const { wrong } = cells
  const field = fieldAt(plan, selected.at)
  const at = wrong.findIndex((each) => isSame(each, selected))
  const text = textAt(plan, edits, selected)
  const column = field === null ? '' : t(field.label)
  const row = plan.sheet.rows[selected.row]?.line ?? 0
  return (
    <section className={classes.panel} aria-label={t('import.fixing.cell')}>
      <div className={classes.panelHead}>
        <h3>{t('import.fixing.place', { column, row })}</h3>
        {at >= 0 && (
          <Text span c="dimmed" size="sm">
            {t('import.fixing.at', { at: at + 1, count: wrong.length })}
          </Text>
        )}
      </div>
      {field !== null && (
        <CellField
          // Another cell or text is another draft.
          key={`${selected.row} ${selected.at} ${text}`}
          {...props}
          {...{ text, column }}
          fault={wrong[at] ?? null}
        />
      )}
      <WhatIsLeft plan={plan} wrong={wrong} />
    </section>
  )
}

interface FieldProps extends Props {
  readonly column: string
  readonly text: string
  /** What is wrong with the cell; null if nothing is. */
  readonly fault: WrongCell | null
}

const offeredMax = 20

function CellField(props: FieldProps) {
  const { plan, cells, selected, column, text, fault, fieldRef, takesFocus, onUse } = props
  const [draft, setDraft] = useState(text)
  const [isRefused, setRefused] = useState(false)
  const [isForAll, setForAll] = useState(true)
  const others = findEqualCells(cells, plan, selected)
  const [offered] = useState(() => offeredAt(plan, selected))
  const faultId = useId()
  useEffect(() => {
    if (takesFocus()) fieldRef.current?.focus()
  }, [fieldRef, takesFocus])
  const submit = (written: string) => {
    const value = valueOf(plan, selected, written)
    if (value === null) return setRefused(true)
    return onUse([selected, ...(isForAll ? others : [])], value)
  }
  const keys = useFieldKeys({ onUse: () => submit(draft), onLeave: props.onLeave })
  return (
    <div className={classes.field}>
      {fault && <Fault {...fault} id={faultId} />}
      <Autocomplete
        {...scrollableDropdown}
        ref={fieldRef}
        label={column}
        value={draft}
        data={offered}
        limit={offeredMax}
        aria-describedby={fault ? faultId : undefined}
        error={isRefused && t('import.fixing.still-wrong')}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onChange={(value) => {
          setDraft(value)
          setRefused(false)
        }}
        onKeyDown={keys.onKeyDown}
        onOptionSubmit={(value) => keys.takesOption() && submit(value)}
      />
      {others.length > 0 && (
        <Checkbox
          label={alsoText(text, others.length)}
          checked={isForAll}
          onChange={({ currentTarget }) => setForAll(currentTarget.checked)}
        />
      )}
      <Group gap="xs">
        <Button variant="filled" onClick={() => submit(draft)}>
          {t('import.fixing.use')}
        </Button>
        {text !== '' && isValid(plan, selected, '') && (
          <Button variant="default" onClick={() => submit('')}>
            {t('import.fixing.without')}
          </Button>
        )}
      </Group>
    </div>
  )
}

/** A long text is in the field as a whole. */
const short = (text: string) => (text.length > 60 ? `${text.slice(0, 60)}…` : text)

const alsoText = (value: string, count: number) =>
  value.trim() === ''
    ? t('import.fixing.also.empty', { count })
    : t('import.fixing.also', { count, value: short(value) })

/** Enter uses the text, or the option that an arrow key highlighted. Escape leaves the field. */
function useFieldKeys({ onUse, onLeave }: { onUse: () => void; onLeave: () => void }) {
  const isByKey = useRef(false)
  return {
    takesOption: () => isByKey.current,
    onKeyDown: (event: KeyboardEvent<HTMLInputElement>) => {
      const { currentTarget, key, nativeEvent } = event
      isByKey.current = false
      if (nativeEvent.isComposing) return
      const list = document.getElementById(currentTarget.getAttribute('aria-controls') ?? '')
      if (key === 'Escape' && list === null) onLeave()
      if (key !== 'Enter') return
      if (list?.querySelector('[data-combobox-selected]')) isByKey.current = true
      else {
        event.preventDefault()
        onUse()
      }
    },
  }
}

function Fault({ id, text, fault, detail }: WrongCell & { readonly id: string }) {
  const readable = useReadableIds([detail ?? ''])
  return (
    <div id={id} className={classes.fault}>
      <IconAlertTriangle size={16} aria-hidden />
      <span className="wrap">
        {text.trim() !== '' && <strong>“{short(text)}” </strong>}
        {fault === 'refused' ? sentence(readable(detail ?? '')) : t(`import.cell.${fault}`)}
      </span>
    </div>
  )
}
