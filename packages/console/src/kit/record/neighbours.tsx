import { ActionIcon, Tooltip } from '@mantine/core'
import { type LinkProps, useNavigate, useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'

import {
  extendOrder,
  type ListOrder,
  type OrderedRef,
  orderOf,
  type OrderSource,
  restoreOrder,
  setOrder,
  storeOrder,
  useEntryKey,
  useOrder,
} from '#data/order.ts'
import { IconChevronDown, IconChevronUp } from '#kit/icons/index.tsx'
import { useShortcuts } from '#kit/keyboard/shortcuts.ts'
import { setReturnRow } from '#kit/list/place.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './record.module.css'

/** A record is searched in the first pages of the list only. */
const searchedMax = 1000

interface Props {
  readonly id: string
  /** The list of a record that was opened directly. */
  readonly source: OrderSource
  /** The page of a record of the list. */
  readonly linkTo: (ref: OrderedRef) => Pick<LinkProps, 'to' | 'params'>
}

/** The place of a record in the list that it was opened from, with the next and previous one. */
export function Neighbours({ id, source, linkTo }: Props) {
  const { key, order } = useRecordOrder(id, source)
  const navigate = useNavigate()
  const at = order?.refs.findIndex((ref) => ref.id === id) ?? -1
  const goTo = (ref: OrderedRef | undefined) => {
    if (!ref) return
    // Back returns to the list, not to each record on the way. The cast holds for `linkTo`.
    const link = { ...linkTo(ref), search: {}, state: { list: key }, replace: true } as LinkProps
    void navigate(link)
  }
  const next = at === -1 ? undefined : order?.refs[at + 1]
  const previous = at === -1 ? undefined : order?.refs[at - 1]
  useShortcuts({ j: () => goTo(next), k: () => goTo(previous) })
  if (!order || at === -1) return null
  return (
    <div className={classes.neighbours} role="group" aria-label={t('record.place.about')}>
      <span className={classes.place}>{placeText(order, at)}</span>
      <Step name={t('record.previous')} onClick={() => goTo(previous)} isLast={!previous}>
        <IconChevronUp size={16} />
      </Step>
      <Step name={t('record.next')} onClick={() => goTo(next)} isLast={!next}>
        <IconChevronDown size={16} />
      </Step>
    </div>
  )
}

interface StepProps {
  readonly name: string
  readonly onClick: () => void
  readonly isLast: boolean
  readonly children: React.ReactNode
}

/** A disabled button would lose the focus at the end of the list. */
const Step = ({ name, onClick, isLast, children }: StepProps) => (
  <Tooltip label={name}>
    <ActionIcon
      aria-label={name}
      aria-disabled={isLast}
      {...(isLast && { 'data-disabled': true })}
      onClick={onClick}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)

/** “3 of 53”. The number of all records is known for most lists, else that of the loaded ones. */
function placeText({ refs, total, rest }: ListOrder, at: number): string {
  const place = formatNumber(at + 1)
  if (rest === null) return t('record.place', { place, count: formatNumber(refs.length) })
  if (total === null) return t('record.place.more', { place, count: formatNumber(refs.length) })
  return t('record.place', { place, count: formatNumber(Math.max(total, refs.length)) })
}

/** The order that the record belongs to. It loads until the record and the next one are in it. */
function useRecordOrder(id: string, source: OrderSource) {
  const list = useRouterState({ select: ({ location }) => location.state.list })
  const entry = useEntryKey()
  const key = list ?? `direct ${entry}`
  const order = useOrder(key)
  useEffect(() => {
    if (!order) setOrder(key, restoreOrder(key) ?? orderOf([source], null))
  }, [order, key, source])
  useEffect(() => {
    if (!order) return
    const at = order.refs.findIndex((ref) => ref.id === id)
    if (
      order.rest?.sources.length &&
      (at === -1 ? order.refs.length < searchedMax : at >= order.refs.length - 2)
    )
      void extendOrder(key)
    if (at !== -1) storeOrder(key, order)
  }, [order, key, id])
  useEffect(() => setReturnRow(key, id), [key, id])
  return { key, order }
}
