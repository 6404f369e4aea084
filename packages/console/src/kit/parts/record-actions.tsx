import {
  createContext,
  type ReactNode,
  use,
  useEffect,
  useId,
  useMemo,
  useSyncExternalStore,
} from 'react'

/** An action that the page of a record offers. */
export interface RecordAction {
  readonly name: string
  readonly onClick: () => void
  /** The letter that does the same on the page. */
  readonly keys?: string | undefined
  readonly isDanger?: boolean | undefined
}

/** Where a page has its actions, most important first. */
const places = ['primary', 'menu', 'notice', 'section', 'property'] as const
type Place = (typeof places)[number]

interface Slot {
  /** The reference or the name of the record. */
  readonly of: string
  readonly place: Place
}

/** The part of a record page that the component is in; null outside the parts with actions. */
const RecordSlot = createContext<Slot | null>(null)
/** The record whose page the component is on; null on other pages. */
export const RecordName = createContext<string | null>(null)

interface Props {
  readonly place: Place
  readonly children: ReactNode
}

/** A part of a record page. Its actions are those of the record. */
export function RecordActions({ place, children }: Props) {
  const of = use(RecordName)
  const slot = useMemo(() => (of === null ? null : { of, place }), [of, place])
  return <RecordSlot value={slot}>{children}</RecordSlot>
}

interface Offer extends Slot {
  readonly actions: readonly RecordAction[]
}

/** What the components of the open record offer. */
const offers = new Map<string, Offer>()
const listeners = new Set<() => void>()
/** Changes with the offers. */
let version = 0

function announce(): void {
  version++
  for (const listener of listeners) listener()
}

/** Offers the actions in the command palette, if the component is in a part of a record page. */
export function useRecordActions(actions: readonly RecordAction[], isMenu = false): void {
  const slot = use(RecordSlot)
  const id = useId()
  useEffect(() => {
    if (slot === null) return
    offers.set(id, { ...slot, ...(isMenu && { place: 'menu' }), actions })
    announce()
  })
  useEffect(
    () => () => {
      if (offers.delete(id)) announce()
    },
    [id],
  )
}

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** “Resume …” in a menu and “Resume” in a notice are the same. */
const plainName = ({ name }: RecordAction) => name.replace(/ …$/, '')

/** The actions that are possible on the open record, each name once; null on other pages. */
export function useOpenRecord() {
  useSyncExternalStore(subscribe, () => version)
  const [first] = offers.values()
  if (first === undefined) return null
  const ordered = [...offers.values()]
    .filter(({ of }) => of === first.of)
    .toSorted((a, b) => places.indexOf(a.place) - places.indexOf(b.place))
    .flatMap(({ actions }) => actions)
  const byName = Map.groupBy(ordered, plainName)
  return { name: first.of, actions: [...byName.values()].flatMap((same) => same.slice(0, 1)) }
}
