import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { type LinkProps, useNavigate } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useCallback } from 'react'

import { allItems, type Pages } from '#data/lists.ts'
import { fromList } from '#data/order.ts'
import { stringifySearch, type Search } from '#data/search.ts'
import type { CreateButton } from '#kit/form/create-button.tsx'

import { BulkBar } from './bulk-bar.tsx'
import { ExportButton } from './export-button.tsx'
import { GroupedList, type PagedQuery } from './grouped-list.tsx'
import { ListPage } from './list-page.tsx'
import type { ListAddress } from './list-query.ts'
import { List, type ListOptions } from './list.tsx'
import type { ListItem } from './row.tsx'
import { type Selection, useSelection } from './selection.ts'
import { usePeek } from './use-peek.ts'

/** An item beside the list. */
export interface PeekProps<T> {
  readonly item: T
  readonly onOpen: () => void
  readonly onClose: () => void
}

type PageProps = ComponentProps<typeof ListPage>

type PassedProps = Pick<PageProps, 'title' | 'note' | 'views' | 'strip' | 'rail' | 'railName'>

interface BarProps extends PassedProps {
  readonly list: ListAddress
  /** The list in the API and the name of the file; null if the API cannot export what is shown. */
  readonly file: { readonly path: string; readonly name: string } | null
  /** The page for printing, and what its address has besides the query; null if there is none. */
  readonly print: { readonly path: string; readonly query?: Search } | null
  /** The groups that the display menu offers. */
  readonly groupings?: NonNullable<PageProps['display']>['groupings']
  readonly noGroup?: string
  /** Before the button for a new record, such as a link to the import. */
  readonly links?: ReactNode
  /** The button is null while the empty list has it. */
  readonly create: Pick<CreateButton, 'dialog'> & { readonly button: ReactNode }
}

interface RowsProps<T extends ListItem> {
  readonly rows: Omit<ListOptions<T>, 'sort' | 'selection' | 'peekedId' | 'onPeek' | 'onOpen'>
  readonly pages: PagedQuery<T>
  /** The number of all items, null if it is unknown; if it is left out, the pages have it. */
  readonly total?: number | null
  /** The groups that the user chose; null for one list. */
  readonly groups?: Pick<ComponentProps<typeof GroupedList<T>>, 'groups' | 'source' | 'note'> | null
  /** The heads within one list. */
  readonly groupOf?: ComponentProps<typeof List<T>>['groupOf']
}

interface Props<T extends ListItem> extends BarProps, RowsProps<T> {
  /** The page of an item. */
  readonly linkTo: (item: T) => Pick<LinkProps, 'to' | 'params'>
  readonly peek?: (props: PeekProps<T>) => ReactNode
  /** What can be done with selected rows; null if none can be selected. */
  readonly bulk?: ((selection: Selection) => ReactNode) | null
  /** The dialogs. */
  readonly children?: ReactNode
}

/** The records of a noun as a page: the list or its groups, the selection and the open item. */
export function RecordList<T extends ListItem>(props: Props<T>) {
  const { pages, groups = null, peek, bulk = null, create } = props
  const selection = useSelection()
  const { item, close, onPeek } = usePeek<T>()
  const onOpen = useOpen(props.linkTo)
  const isEnabled = groups === null && pages.enabled !== false
  const query = useInfiniteQuery({
    ...pages,
    placeholderData: keepPreviousData,
    enabled: isEnabled,
  })
  // A refetch brings the current state of the open item.
  const peeked = item && (allItems(query.data).find(({ id }) => id === item.id) ?? item)
  return (
    <ListPage
      {...barOf(props)}
      peek={peeked && peek?.({ item: peeked, onOpen: () => onOpen(peeked), onClose: close })}
    >
      <Rows
        {...props}
        query={query}
        options={{
          ...props.rows,
          sort: props.list.sort,
          selection: bulk ? selection : undefined,
          peekedId: peeked && peeked.id,
          onPeek: peek && onPeek,
          onOpen,
        }}
      />
      {bulk && <BulkBar selection={selection}>{bulk(selection)}</BulkBar>}
      {props.children}
      {create.dialog}
    </ListPage>
  )
}

/** The bar, the toolbar and the rail of the page. */
function barOf(props: BarProps): Omit<PageProps, 'peek' | 'children'> {
  const {
    title,
    note = null,
    views,
    strip,
    rail,
    railName,
    list,
    file,
    print,
    groupings,
    noGroup,
  } = props
  const { filters, fields, sort, query } = list
  return {
    title,
    note,
    filters,
    fields,
    strip,
    rail,
    ...(views && { views }),
    ...(railName !== undefined && { railName }),
    actions: (
      <>
        {file && <ExportButton {...file} query={query} />}
        {props.links}
        {props.create.button}
      </>
    ),
    display: {
      sort,
      ...(groupings && { groupings }),
      ...(noGroup !== undefined && { noGroup }),
      ...(print && {
        printPath: `${print.path}${stringifySearch({ ...query, ...print.query })}`,
      }),
    },
  }
}

interface ShownProps<T extends ListItem> extends RowsProps<T> {
  readonly query: ComponentProps<typeof List<T>>['query']
  readonly options: ListOptions<T>
}

function Rows<T extends ListItem>(props: ShownProps<T>) {
  const { groups = null, query, options, pages, groupOf } = props
  if (groups !== null) return <GroupedList {...options} {...groups} />
  const total = props.total === undefined ? totalOf(query.data) : props.total
  return <List {...options} query={query} source={pages} total={total} groupOf={groupOf} />
}

interface CountedPages extends Pages<unknown> {
  readonly pages: readonly {
    readonly data: readonly unknown[]
    readonly total_count?: number | null
  }[]
}

const totalOf = (data: CountedPages | undefined) => data?.pages[0]?.total_count ?? null

/** Opens the page of an item. Its neighbours are those of the list. */
function useOpen<T>(linkTo: (item: T) => Pick<LinkProps, 'to' | 'params'>) {
  const navigate = useNavigate()
  return useCallback(
    (item: T) => {
      // The cast holds for the link of a record.
      const link = { ...linkTo(item), search: {}, state: fromList } as LinkProps
      void navigate(link)
    },
    [navigate, linkTo],
  )
}
