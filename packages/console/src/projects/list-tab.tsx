import { Group, Title } from '@mantine/core'
import type { Project } from '@muster/contract'
import type { UseInfiniteQueryResult } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, Suspense, useState } from 'react'

import type { Answer, Pages } from '#api/lists.ts'
import { t } from '#text/index.ts'
import { ActionButton } from '#ui/action-button.tsx'
import type { Filters } from '#ui/filters.ts'
import { Empty } from '#ui/page.tsx'
import { type Column, RankedList } from '#ui/ranked-list.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

import { useReasonAgainstChange } from './project-actions.tsx'
import { totalOf } from './queries.ts'

import classes from './projects.module.css'

interface AddProps {
  readonly project: Project
  readonly onClose: () => void
}

interface Props<T extends { readonly id: string }> {
  readonly project: Project
  readonly title: string
  /** The way to the same things in another order. */
  readonly also?: ReactNode
  readonly filters: Filters
  /** What the list is narrowed by. */
  readonly fields: ReactNode
  readonly columns: readonly Column<T>[]
  readonly query: UseInfiniteQueryResult<Pages<T> & { readonly pages: readonly Answer<T>[] }>
  /** What to do first, where there is nothing yet. */
  readonly none: { readonly title: string; readonly advice: string }
  /** What adds one is called, and asks for it. */
  readonly add: { readonly text: string; readonly Dialog: ComponentType<AddProps> }
}

/** One of the lists of a project, with the means to narrow it and to add to it. */
export function ListTab<T extends { readonly id: string }>(props: Props<T>) {
  const { project, title, also, filters, fields, columns, query, none, add } = props
  const [isAdding, setAdding] = useState(false)
  const reason = useReasonAgainstChange(project)
  const button = (
    <ActionButton reason={reason} onClick={() => setAdding(true)}>
      {add.text}
    </ActionButton>
  )
  const empty =
    filters.count > 0 ? (
      <Empty title={t('project.no-match')} advice={t('project.no-match.about')} />
    ) : (
      <Empty {...none}>{button}</Empty>
    )
  return (
    <>
      <Group justify="space-between" mb="xs" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        <Group gap="sm" className="no-print">
          {also}
          {button}
        </Group>
      </Group>
      <search aria-label={t('project.filter')} className="no-print">
        <Suspense>
          <div className={classes.filters}>{fields}</div>
        </Suspense>
      </search>
      <RankedList
        label={title}
        columns={columns}
        query={query}
        total={totalOf(query.data)}
        empty={empty}
      />
      <WhileOpen isOpen={isAdding}>
        <add.Dialog project={project} onClose={() => setAdding(false)} />
      </WhileOpen>
    </>
  )
}
