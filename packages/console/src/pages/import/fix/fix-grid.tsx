import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useMemo, useRef } from 'react'

import { isSame, textAt } from '#pages/import/cells/judge.ts'
import { type Place, placeOf, type Plan } from '#pages/import/cells/plan.ts'
import type { Cells } from '#pages/import/cells/use-cells.ts'
import { formatNumber, t } from '#text/index.ts'

import { moveTo, type Shown } from './grid-moves.ts'
import { gridStyle } from './widths.ts'

import classes from './fix.module.css'

interface Props extends Pick<Cells, 'cells' | 'edits'> {
  readonly plan: Plan
  readonly shown: Shown
  readonly selected: Place
  readonly onSelect: (place: Place) => void
  /** Goes to the field of the selected cell. */
  readonly onEnter: () => void
  readonly gridRef: RefObject<HTMLDivElement | null>
}

const rowHeight = 32
const idOf = (place: Place) => `import-cell-${place.row}-${place.at}`

/**
 * The rows of the file. The focus stays on the grid, and the active cell is its active descendant:
 * a row that is scrolled away leaves the document.
 */
export function FixGrid(props: Props) {
  const { plan, cells, shown, selected, onSelect, onEnter, gridRef } = props
  const rows = useVirtualizer({
    count: shown.rows.length,
    getScrollElement: () => gridRef.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    scrollMargin: rowHeight,
    scrollPaddingStart: rowHeight,
    getItemKey: (at) => shown.rows[at] ?? at,
  })
  const header = useRef<HTMLDivElement>(null)
  const fields = shown.columns.flatMap((at) => plan.mapping[at] ?? [])
  const marks = useMemo(() => marksOf(cells), [cells])
  const position = shown.rows.indexOf(selected.row)
  useEffect(() => {
    if (position >= 0) rows.scrollToIndex(position, { align: 'auto' })
  }, [rows, position])
  useEffect(() => {
    const [first, ...heads] = header.current?.children ?? []
    const head = heads[shown.columns.indexOf(selected.at)]
    if (head instanceof HTMLElement && first instanceof HTMLElement && gridRef.current) {
      showColumn(gridRef.current, head, first.offsetWidth)
    }
  }, [gridRef, shown.columns, selected.at])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const hasModifier = event.ctrlKey || event.metaKey
    const to = moveTo(shown, selected, hasModifier ? `mod+${event.key}` : event.key)
    if (to !== null) onSelect(to)
    else if (event.key === 'Enter' || event.key === 'F2') onEnter()
    // What is typed goes to the field, and is no shortcut of the page.
    else if (event.key.length === 1 && !hasModifier && !event.altKey) {
      event.stopPropagation()
      if (event.key === ' ') event.preventDefault()
      return onEnter()
    } else return undefined
    return event.preventDefault()
  }
  return (
    <div
      ref={gridRef}
      role="grid"
      aria-label={t('import.fixing.grid')}
      aria-rowcount={shown.rows.length + 1}
      aria-colcount={shown.columns.length + 1}
      aria-activedescendant={position >= 0 ? idOf(selected) : undefined}
      tabIndex={0}
      className={classes.grid}
      // The cast holds: React sets custom properties, which its types do not have.
      style={gridStyle(fields, plan.sheet.rows.at(-1)?.line ?? 0) as React.CSSProperties}
      onKeyDown={onKeyDown}
      onMouseDown={({ target }) => selectAt(target, onSelect)}
    >
      <Head plan={plan} columns={shown.columns} headRef={header} />
      <div role="rowgroup" className={classes.rows} style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start }) => (
          <Row
            key={key}
            {...props}
            marks={marks}
            row={shown.rows[index] ?? 0}
            index={index}
            top={start - rowHeight}
          />
        ))}
      </div>
    </div>
  )
}

/** Scrolls the grid alone: the page keeps its place while the user is in the field below. */
function showColumn(grid: HTMLElement, head: HTMLElement, lead: number): void {
  const right = head.offsetLeft + head.offsetWidth - grid.clientWidth
  if (head.offsetLeft - lead < grid.scrollLeft) grid.scrollLeft = head.offsetLeft - lead
  else if (right > grid.scrollLeft) grid.scrollLeft = right
}

function selectAt(target: EventTarget, onSelect: Props['onSelect']): void {
  const cell = target instanceof HTMLElement ? target.closest<HTMLElement>('[data-place]') : null
  const [row, at] = (cell?.dataset['place'] ?? '').split(' ').map(Number)
  if (row !== undefined && at !== undefined) onSelect({ row, at })
}

interface HeadProps {
  readonly plan: Plan
  readonly columns: readonly number[]
  readonly headRef: RefObject<HTMLDivElement | null>
}

const Head = ({ plan: { sheet, mapping }, columns, headRef }: HeadProps) => (
  <div role="rowgroup" className={classes.head}>
    <div role="row" aria-rowindex={1} className={classes.row} ref={headRef}>
      <div role="columnheader" className={classes.line}>
        <span className={classes.hidden}>{t('import.line')}</span>
      </div>
      {columns.map((at) => {
        const field = mapping[at]
        return (
          <div
            key={at}
            role="columnheader"
            className={classes.cell}
            title={t('import.fixing.column', { name: sheet.columns[at] ?? '' })}
          >
            {field && t(field.label)}
          </div>
        )
      })}
    </div>
  </div>
)

interface Marks {
  readonly places: ReadonlyMap<string, 'wrong' | 'fixed'>
  /** The rows with a wrong cell. */
  readonly rows: ReadonlySet<number>
}

const marksOf = ({ wrong, fixed }: Cells['cells']): Marks => ({
  places: new Map([
    ...wrong.map((cell) => [placeOf(cell), 'wrong'] as const),
    ...fixed.map((cell) => [placeOf(cell), 'fixed'] as const),
  ]),
  rows: new Set(wrong.map(({ row }) => row)),
})

interface RowProps extends Props {
  readonly marks: Marks
  readonly row: number
  readonly index: number
  readonly top: number
}

function Row({ plan, edits, marks, shown, selected, row, index, top }: RowProps) {
  const line = plan.sheet.rows[row]?.line ?? 0
  const refusal = edits.rowRefusals.get(line)
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ transform: `translateY(${top}px)` }}
    >
      <div
        role="rowheader"
        className={classes.line}
        data-wrong={marks.rows.has(row) || refusal !== undefined}
        title={refusal}
      >
        {formatNumber(line)}
      </div>
      {shown.columns.map((at) => {
        const place = { row, at }
        const text = textAt(plan, edits, place)
        const mark = marks.places.get(placeOf(place))
        return (
          <div
            key={at}
            id={idOf(place)}
            role="gridcell"
            aria-selected={isSame(selected, place)}
            aria-invalid={mark === 'wrong' ? 'true' : undefined}
            className={classes.cell}
            data-place={placeOf(place)}
            data-mark={mark}
            title={text}
          >
            {text}
          </div>
        )
      })}
    </div>
  )
}
