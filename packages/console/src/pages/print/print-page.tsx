import { Button } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useInfiniteQuery, useIsFetching, useQuery } from '@tanstack/react-query'
import { useParams, useSearch } from '@tanstack/react-router'
import { memo, useEffect, useRef, useState } from 'react'

import type { Search } from '#data/search.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { type FilterField, useValueTexts } from '#kit/list/filter-menu.tsx'
import { PageMissing } from '#kit/parts/page-states.tsx'
import { groupNamesQuery } from '#kit/references/groups.ts'
import { usePersonNames } from '#kit/references/people.tsx'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'

import { type PrintList, printLists, type PrintRow } from './print-lists.ts'

import classes from './print.module.css'

/** `/print/$list` with the search parameters of the list page: every row, for printing. */
export function PrintPage() {
  const { list: name = '' } = useParams({ strict: false })
  const list = Object.hasOwn(printLists, name) ? printLists[name] : undefined
  return list === undefined ? <PageMissing /> : <PrintedList key={name} list={list} />
}

function PrintedList({ list }: { readonly list: PrintList }) {
  const search = useSearch({ strict: false }) as Search
  const whoami = useWhoami()
  const seesPeople = useMissingScopeReason('personnel.read') === null
  const request = { search, whoami, seesPeople }
  const query = useInfiniteQuery({
    ...list.rows(request),
    // A refetch would load every page again.
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { data, hasNextPage, isFetching, isError, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetching && !isError) void fetchNextPage()
  }, [hasNextPage, isFetching, isError, fetchNextPage])
  const isComplete = query.isSuccess && !hasNextPage
  // The names of people also load before the page is printed.
  usePrintOnce(useIsFetching() === 0 && isComplete)
  const [openedAt] = useState(() => new Date().toISOString())
  const title = t(list.title)
  useDocumentTitle(`${title} · ${whoami.workspace.name}`)
  const pages = data?.pages ?? []
  const count = pages.reduce((sum, page) => sum + page.data.length, 0)
  return (
    <main className={classes.page}>
      <div className={`${classes.bar} no-print`} role="status">
        <span>{t(isComplete ? 'print.ready' : 'print.loading', { count })}</span>
        {isComplete && <Button onClick={() => window.print()}>{t('print.print')}</Button>}
      </div>
      <h1>{title}</h1>
      <FilterWords list={list} values={list.filters(request)} />
      <p className={classes.meta}>
        {whoami.workspace.name} · {formatInstant(openedAt)} · {t('print.rows', { count })}
      </p>
      {isError && <ProblemNotice error={query.error} onRetry={() => void query.refetch()} />}
      <table className={classes.table} aria-label={title}>
        <thead>
          <tr>
            {list.columns.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        {pages.map((page) => (
          <Rows key={page.data[0]?.id ?? ''} rows={page.data} columns={list.columns} />
        ))}
      </table>
    </main>
  )
}

/**
 * Opens the print dialog of the browser, once. A short delay lets requests start that the last rows
 * need. Browsers without a user interface, as in tests, ignore `print()`.
 */
function usePrintOnce(isReady: boolean): void {
  const wasPrinted = useRef(false)
  useEffect(() => {
    if (!isReady || wasPrinted.current) return undefined
    const timer = setTimeout(() => {
      wasPrinted.current = true
      window.print()
    }, 200)
    return () => clearTimeout(timer)
  }, [isReady])
}

interface RowsProps {
  readonly rows: readonly PrintRow[]
  readonly columns: readonly string[]
}

/** The rows of one response. Rendered again only when names arrive. */
const Rows = memo(function Rows({ rows, columns }: RowsProps) {
  const ids = rows.flatMap(({ cells }) =>
    cells.flatMap((cell) => (Array.isArray(cell) ? cell : [])),
  )
  const names = usePersonNames(ids)
  return (
    <tbody>
      {rows.map(({ id, cells }) => (
        <tr key={id}>
          {cells.map((cell, at) => (
            <td key={columns[at]}>
              <PrintedCell cell={cell} names={names} />
            </td>
          ))}
        </tr>
      ))}
    </tbody>
  )
})

interface CellProps {
  readonly cell: PrintRow['cells'][number]
  readonly names: ReadonlyMap<string, string>
}

function PrintedCell({ cell, names }: CellProps) {
  if (typeof cell === 'string') return cell
  if ('level' in cell)
    return (
      <span className={classes.score} data-level={cell.level}>
        {cell.text}
      </span>
    )
  return cell.map((userId) => (userId && names.get(userId)) ?? '').join(', ')
}

const yesAndNo = [
  { value: 'true', label: t('word.yes') },
  { value: 'false', label: t('word.no') },
]

interface WordsProps {
  readonly list: PrintList
  readonly values: Search
}

/** The filters in words: names instead of ids. */
function FilterWords({ list, values }: WordsProps) {
  const getAll = (name: string) => values[name]?.split(',') ?? []
  const groups = useQuery({ ...groupNamesQuery, enabled: values['group_id'] !== undefined })
  const groupChoices = [...(groups.data ?? [])].map(([value, label]) => ({ value, label }))
  const fields = Object.keys(values).map((name): FilterField => {
    const field = { name, label: name === 'q' ? t('word.search') : fieldLabel(name) }
    const set = list.sets[name]
    if (set !== undefined) return { ...field, kind: 'enum', set }
    if (name.endsWith('user_id')) return { ...field, kind: 'person' }
    if (name === 'project_id') return { ...field, kind: 'project' }
    if (name === 'accepted') return { ...field, kind: 'choice', data: yesAndNo }
    return name === 'group_id'
      ? { ...field, kind: 'choice', data: groupChoices }
      : { ...field, kind: 'text' }
  })
  const valueText = useValueTexts({ filters: { getAll }, fields })
  const words = fields.map(
    (field) =>
      `${field.label}: ${getAll(field.name)
        .map((value) => valueText(field, value))
        .join(', ')}`,
  )
  return words.length > 0 && <p className={classes.words}>{words.join(' · ')}</p>
}
