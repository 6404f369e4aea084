import { useNavigate, useSearch } from '@tanstack/react-router'

import type { Search } from '#data/search.ts'
import { t } from '#text/index.ts'

/** An order of a list, as the API names it: `-` reverses it. */
export interface SortChoice {
  /** The direction that the first press gives, such as `-score`. */
  readonly value: string
  readonly label: string
}

export interface ListSort {
  /** The first one is the order of the list without a choice. */
  readonly choices: readonly SortChoice[]
  /** The order in force. */
  readonly value: string
  /** The parameter of the API; none for the order of the list itself. */
  readonly query: Search
  readonly choose: (value: string) => void
}

/** The orders that every list has besides its own. */
export const lastChange: SortChoice = { value: '-updated_at', label: t('word.updated') }

export const reversed = (value: string) => (value.startsWith('-') ? value.slice(1) : `-${value}`)

const fieldOf = (value: string) => value.replace('-', '')

/** The choice that an order belongs to, in either direction. */
export const choiceOf = ({ choices }: Pick<ListSort, 'choices'>, value: string) =>
  choices.find((choice) => fieldOf(choice.value) === fieldOf(value))

/** The next order when the head of a column is pressed: its own, reversed, and back. */
export function nextSort({ choices, value }: ListSort, first: string): string {
  if (value === first) return reversed(first)
  return value === reversed(first) ? (choices[0]?.value ?? first) : first
}

/**
 * The order of a page, kept in the address. An order that the list does not have is ignored: a
 * view can have fewer.
 */
export function useSort(choices: readonly SortChoice[]): ListSort {
  const { sort, ...search } = useSearch({ strict: false }) as Search
  const navigate = useNavigate()
  const own = choices[0]?.value ?? ''
  const value = sort !== undefined && choiceOf({ choices }, sort) ? sort : own
  return {
    choices,
    value,
    query: value === own ? {} : { sort: value },
    choose: (next) =>
      void navigate({
        to: '.',
        search: next === own ? search : { ...search, sort: next },
        resetScroll: false,
      }),
  }
}
