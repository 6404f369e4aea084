import { createLink, useSearch } from '@tanstack/react-router'
import type { ComponentProps, KeyboardEvent } from 'react'

import type { Search } from '#data/search.ts'
import { formatNumber, t } from '#text/index.ts'

import classes from './list-page.module.css'

/** A way to look at a list. Each has an address: `?view=mine`. */
export interface ListView {
  /** The value of the parameter `view`; empty for the first view. */
  readonly key: string
  readonly name: string
  /** Null if it is unknown. */
  readonly count?: number | null | undefined
}

const ViewLink = createLink(({ children, ...props }: ComponentProps<'a'>) => (
  <a {...props}>{children}</a>
))

export const useView = () => (useSearch({ strict: false }) as Search)['view'] ?? ''

/** The views of a list as links. Tab reaches the current one, the arrow keys the others. */
export function Views({ views }: { readonly views: readonly ListView[] }) {
  const current = useView()
  const search = useSearch({ strict: false }) as Search
  return (
    <nav aria-label={t('list.views')} className={classes.views} onKeyDown={moveByArrow}>
      {views.map(({ key, name, count }) => (
        <ViewLink
          key={key}
          to="."
          search={{ ...kept(search), ...(key && { view: key }) }}
          activeOptions={{ exact: true, includeSearch: true }}
          tabIndex={key === current ? 0 : -1}
          {...(key === current
            ? { 'aria-current': 'page' as const }
            : { 'aria-current': undefined })}
        >
          {name}
          {typeof count === 'number' && (
            <span className={classes.count}>{formatNumber(count)}</span>
          )}
        </ViewLink>
      ))}
    </nav>
  )
}

/** A view keeps the groups and the order. */
const kept = ({ group, sort }: Search): Search => ({
  ...(group && { group }),
  ...(sort && { sort }),
})

function moveByArrow(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
  if (step === undefined) return
  const links = [...event.currentTarget.querySelectorAll('a')]
  const next = links[links.indexOf(event.target as HTMLAnchorElement) + step]
  if (!next) return
  event.preventDefault()
  next.focus()
}
