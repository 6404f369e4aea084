import type { UseQueryOptions } from '@tanstack/react-query'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import type { Crumb } from '#kit/parts/links.tsx'
import { PagePending } from '#kit/parts/page-states.tsx'
import { Page } from '#kit/parts/page.tsx'

import { RecordId } from './record-mark.ts'

interface Props<T, K extends readonly unknown[]> {
  readonly query: UseQueryOptions<T, Error, T, K>
  /** The title and the trail while there is no record. */
  readonly title: string
  readonly crumbs: readonly Crumb[]
  /** What the user can do if there is no record. */
  readonly advice?: ReactNode
  readonly children: (record: T) => ReactNode
}

/** Loads a record, and shows why it cannot be shown. */
export function RecordRoute<T, K extends readonly unknown[]>(props: Props<T, K>) {
  const { data, error, isError, refetch } = useQuery(props.query)
  const id = props.query.queryKey.at(-1)
  if (data !== undefined)
    return <RecordId value={typeof id === 'string' ? id : null}>{props.children(data)}</RecordId>
  if (!isError) return <PagePending />
  return (
    <Page title={props.title} crumbs={props.crumbs}>
      <ProblemNotice error={error} onRetry={() => void refetch()} />
      {props.advice}
    </Page>
  )
}
