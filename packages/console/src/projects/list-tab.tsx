import { Group, Title } from '@mantine/core'
import type { Project } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'

import type { ListResponse, Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import type { Filters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { EmptyState } from '#ui/page.tsx'
import { type Column, VirtualTable } from '#ui/virtual-table.tsx'

import { useReadOnlyReason } from './project-actions.tsx'
import { totalCount } from './queries.ts'

import classes from './projects.module.css'

interface AddProps {
  readonly project: Project
  readonly onClose: () => void
}

interface Props<T extends { readonly id: string }> {
  readonly project: Project
  readonly title: string
  /** A link to the same items on another page. */
  readonly relatedLink?: ReactNode
  readonly filters: Filters
  /** The filter fields. */
  readonly fields: ReactNode
  readonly columns: readonly Column<T>[]
  readonly query: UseInfiniteQueryResult<Pages<T> & { readonly pages: readonly ListResponse<T>[] }>
  /** The empty state without filters. */
  readonly emptyState: { readonly title: string; readonly advice: string }
  /** The label of the add button and the dialog that it opens. */
  readonly add: { readonly text: string; readonly Dialog: ComponentType<AddProps> }
}

/** A list of items of a project with filters and an add button. */
export function ListTab<T extends { readonly id: string }>(props: Props<T>) {
  const { project, title, relatedLink, filters, fields, columns, query, emptyState, add } = props
  const [isAdding, setAdding] = useState(false)
  const reason = useReadOnlyReason(project)
  const button = (
    <ActionButton reason={reason} onClick={() => setAdding(true)}>
      {add.text}
    </ActionButton>
  )
  const empty =
    filters.count > 0 ? (
      <EmptyState title={t('project.no-match')} advice={t('project.no-match.about')} />
    ) : (
      <EmptyState {...emptyState}>{button}</EmptyState>
    )
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group gap="sm" className="no-print">
          {relatedLink}
          {button}
        </Group>
      </Group>
      <search aria-label={t('project.filter')} className="no-print">
        <Suspense>
          <div className={classes.filters}>{fields}</div>
        </Suspense>
      </search>
      <VirtualTable
        label={title}
        columns={columns}
        query={query}
        total={totalCount(query.data)}
        empty={empty}
      />
      <LazyDialog isOpen={isAdding}>
        <add.Dialog project={project} onClose={() => setAdding(false)} />
      </LazyDialog>
    </>
  )
}
