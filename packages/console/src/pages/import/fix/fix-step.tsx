import { Alert, Button } from '@mantine/core'
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState } from 'react'

import { Keys } from '#kit/keyboard/keys.tsx'
import { nextWrong, textAt, wrongBelow } from '#pages/import/cells/judge.ts'
import { type Place, placeOf, type Plan } from '#pages/import/cells/plan.ts'
import type { Cells } from '#pages/import/cells/use-cells.ts'
import { BarActions } from '#pages/import/parts/bar-actions.tsx'
import { Tabs } from '#pages/import/parts/tabs.tsx'
import { t } from '#text/index.ts'

import { FixGrid } from './fix-grid.tsx'
import { FixPanel } from './fix-panel.tsx'
import type { Shown } from './grid-moves.ts'
import { valueOf } from './values.ts'

import classes from './fix.module.css'

interface Props extends Pick<Cells, 'cells' | 'edits' | 'correct' | 'undo'> {
  readonly plan: Plan
  readonly onBack: () => void
  readonly onNext: () => void
}

type View = 'all' | 'to-fix' | 'fixed'

/** Shows the rows of the file, and takes the corrections of their cells. */
export function FixStep(props: Props) {
  const { plan, cells, edits } = props
  const { wrong, fixed } = cells
  const [view, setView] = useState<View>('all')
  const shown = useShown(props, view)
  const field = useRef<HTMLInputElement>(null)
  const grid = useRef<HTMLDivElement>(null)
  const { selected, select, apply, takesFocus, onKeyDown } = useFixing(props, field)
  return (
    <div {...{ onKeyDown }}>
      <Actions {...props} />
      <MismatchNotice plan={plan} wrong={wrong} />
      <Tabs
        label={t('import.fixing')}
        tabs={[
          { key: 'all', name: t('word.all'), count: plan.sheet.rows.length },
          { key: 'to-fix', name: t('import.fixing.to-fix'), count: wrong.length },
          { key: 'fixed', name: t('import.fixing.fixed'), count: fixed.length },
        ]}
        current={view}
        onChange={setView}
        rightSection={<KeyHelp />}
      >
        <div className={classes.fix}>
          <FixGrid
            {...{ plan, cells, edits, shown, selected }}
            onSelect={select}
            onEnter={() => field.current?.focus()}
            gridRef={grid}
          />
          <FixPanel
            {...{ plan, cells, edits, selected, takesFocus }}
            fieldRef={field}
            onUse={apply}
            onLeave={() => grid.current?.focus()}
          />
        </div>
      </Tabs>
    </div>
  )
}

/** The selected cell, and the keys that work in the grid and in the field. */
function useFixing(props: Props, field: RefObject<HTMLInputElement | null>) {
  const { plan, cells, edits } = props
  const { wrong, fixed } = cells
  const [selected, setSelected] = useState<Place>(
    () => wrong[0] ?? fixed[0] ?? { row: 0, at: plan.mapping.findIndex((each) => each !== null) },
  )
  const wantsFocus = useRef(false)
  const apply = (places: readonly [Place, ...Place[]], text: string) => {
    const used = new Set(places.map(placeOf))
    const rest = wrong.filter((cell) => !used.has(placeOf(cell)))
    wantsFocus.current = true
    props.correct(places, text)
    setSelected(nextWrong(rest, places[0]) ?? places[0])
  }
  const fillBelow = (text: string) => {
    const value = valueOf(plan, selected, text)
    if (value !== null) apply([selected, ...wrongBelow(wrong, selected)], value)
  }
  const undo = () => {
    const place = props.undo()
    if (place !== null) setSelected(place)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
    const before = textAt(plan, edits, selected)
    const isInField = event.target === field.current
    const text = isInField ? (field.current?.value ?? '') : before
    // What is typed and not used yet is taken back by the browser.
    const isUndo = event.key === 'z' && text === before
    if (event.key !== 'd' && !isUndo) return
    event.preventDefault()
    if (isUndo) undo()
    else fillBelow(text)
    wantsFocus.current = isInField
  }
  const takesFocus = () => {
    const { current } = wantsFocus
    wantsFocus.current = false
    return current
  }
  return { selected, select: setSelected, apply, takesFocus, onKeyDown }
}

/** The rows of a tab, and the columns that became a field. */
function useShown({ plan, cells }: Pick<Props, 'plan' | 'cells'>, view: View): Shown {
  return useMemo(() => {
    const columns = plan.mapping.flatMap((field, at) => (field === null ? [] : [at]))
    const places = view === 'to-fix' ? cells.wrong : cells.fixed
    const rows = view === 'all' ? plan.sheet.rows.keys() : new Set(places.map(({ row }) => row))
    return { columns, rows: [...rows].toSorted((one, other) => one - other) }
  }, [plan, cells, view])
}

function Actions({ plan, cells, edits, onBack, onNext }: Props) {
  const count = plan.sheet.rows.length
  const left = new Set(cells.wrong.map(({ row }) => row))
  for (const [row, { line }] of plan.sheet.rows.entries()) {
    if (edits.rowRefusals.has(line)) left.add(row)
  }
  return (
    <BarActions>
      <Button variant="default" onClick={onBack}>
        {t('import.back')}
      </Button>
      <Button variant="filled" onClick={onNext} disabled={left.size === count}>
        {left.size === 0
          ? t('import.fixing.next')
          : t('import.fixing.next.without', { count: count - left.size, left: left.size })}
      </Button>
    </BarActions>
  )
}

const keyHelp = [
  { keys: 'Enter', text: 'import.fixing.keys.next' },
  { keys: 'mod+d', text: 'import.fixing.keys.below' },
  { keys: 'mod+z', text: 'import.fixing.keys.undo' },
] as const

const KeyHelp = () => (
  <p className={classes.keys}>
    {keyHelp.map(({ keys, text }) => (
      <span key={keys}>
        <Keys keys={keys} /> {t(text)}
      </span>
    ))}
  </p>
)

/** A column with mostly wrong cells is probably another one. */
function MismatchNotice({ plan, wrong }: { plan: Plan; wrong: Cells['cells']['wrong'] }) {
  const { sheet } = plan
  const columns = [...Map.groupBy(wrong, ({ at }) => at)].filter(
    ([, cells]) => cells.length > sheet.rows.length / 2 && cells.length > 3,
  )
  if (columns.length === 0) return null
  return (
    <Alert color="yellow" variant="light" role="note" mb="sm">
      {t('import.fixing.mismatch', {
        columns: columns.map(([at]) => sheet.columns[at] ?? '').join(', '),
      })}
    </Alert>
  )
}
