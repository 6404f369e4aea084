import { type KeyboardEvent, type ReactNode, useId } from 'react'

import { formatNumber } from '#text/index.ts'

import classes from './tabs.module.css'

interface Tab<K extends string> {
  readonly key: K
  readonly name: string
  readonly count: number
}

interface Props<K extends string> {
  readonly label: string
  readonly tabs: readonly Tab<K>[]
  readonly current: K
  readonly onChange: (key: K) => void
  /** At the end of the line of the tabs. */
  readonly rightSection?: ReactNode
  readonly children: ReactNode
}

/** Tabs with counts, and the panel of the current one. */
export function Tabs<K extends string>(props: Props<K>) {
  const { label, tabs, current, onChange, rightSection, children } = props
  const id = useId()
  return (
    <div className={classes.box}>
      <div className={classes.line}>
        <div role="tablist" aria-label={label} className={classes.tabs} {...handlers}>
          {tabs.map(({ key, name, count }) => (
            <button
              key={key}
              type="button"
              role="tab"
              id={`${id}-${key}`}
              aria-selected={key === current}
              aria-controls={`${id}-panel`}
              tabIndex={key === current ? 0 : -1}
              onClick={() => onChange(key)}
            >
              {name} <span className={classes.count}>{formatNumber(count)}</span>
            </button>
          ))}
        </div>
        {rightSection}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${current}`}>
        {children}
      </div>
    </div>
  )
}

/** The tabs have the focus, not their list. */
const handlers = { onKeyDown: moveByArrow }

function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const tabs = [...event.currentTarget.querySelectorAll('button')]
  const at = tabs.findIndex((tab) => tab === event.target)
  const next = tabs.at((at + step) % tabs.length)
  event.preventDefault()
  next?.focus()
  next?.click()
}
