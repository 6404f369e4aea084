import type { ClosedIssue, ClosedRisk, OpenIssue, RegisterEntry, Whoami } from '@muster/contract'

import { client } from '#data/client.ts'
import { type ListResponse, pagedQuery } from '#data/lists.ts'
import type { Noun } from '#data/query-client.ts'
import type { Search } from '#data/search.ts'
import { issueViewQueries } from '#nouns/issues/queries.ts'
import { listProjects } from '#nouns/projects/queries.ts'
import { riskViewQueries } from '#nouns/risks/queries.ts'
import { taskViewQueries } from '#nouns/tasks/queries.ts'
import { formatDay } from '#text/dates.ts'
import { formatNumber, t, type TextKey } from '#text/index.ts'
import { fieldLabel, label, type LabelSet } from '#text/labels.ts'

/** A text, the ids of people whose names are shown, or a score in the colour of its level. */
type Cell = string | readonly (string | null)[] | ScoreCell

interface ScoreCell {
  readonly text: string
  readonly level: string
}

export interface PrintRow {
  readonly id: string
  readonly cells: readonly Cell[]
}

interface PrintRequest {
  /** The search parameters of the list page: filters with the names of the API, and a view. */
  readonly search: Search
  readonly whoami: Whoami
  readonly seesPeople: boolean
}

/** The filters that the views of a list page stand for, by the parameter `view`. */
type Views = (userId: string) => Readonly<Record<string, Search>>

interface PageRequest extends PrintRequest {
  /** The filters of the address, with the names of the API. */
  readonly filters: Search
  readonly paging: { readonly limit: number; readonly cursor?: string }
  readonly view: string
  /** The user id of the person; empty for a service key. */
  readonly userId: string
}

interface Definition<T extends { readonly id: string }> {
  readonly noun: Noun
  readonly title: TextKey
  /** The number of rows per request. The names of at most 200 people are shown for one. */
  readonly limit?: number
  readonly page: (request: PageRequest, signal: AbortSignal) => Promise<ListResponse<T>>
  readonly columns: readonly (readonly [name: string, cell: (item: T) => Cell])[]
  /** The label sets of the filters that have fixed values. */
  readonly sets: Readonly<Record<string, LabelSet>>
  readonly views?: Views
}

/** What changes how a list page looks, not what it lists. */
const displayNames = new Set(['view', 'group', 'create', 'basis'])

const filtersOf = (search: Search): Search =>
  Object.fromEntries(Object.entries(search).filter(([name]) => !displayNames.has(name)))

const userIdOf = ({ person }: Whoami) => person?.user_id ?? ''

export interface PrintList {
  readonly title: TextKey
  readonly sets: Readonly<Record<string, LabelSet>>
  readonly columns: readonly string[]
  /** The filters of the address and of its view without the order, to show them in words. */
  readonly filters: (request: PrintRequest) => Search
  readonly rows: (request: PrintRequest) => ReturnType<typeof pagedQuery<PrintRow>>
}

/** Turns items into rows of texts, so that one page prints every list. */
function printList<T extends { readonly id: string }>(list: Definition<T>): PrintList {
  const { noun, title, limit = 200, page, columns, sets, views } = list
  const toRow = (item: T): PrintRow => ({
    id: item.id,
    cells: columns.map(([, cell]) => cell(item)),
  })
  return {
    title,
    sets,
    columns: columns.map(([name]) => name),
    filters: ({ search: { sort: _sort, ...search }, whoami }) => ({
      ...views?.(userIdOf(whoami))[search['view'] ?? ''],
      ...filtersOf(search),
    }),
    rows: (request) =>
      pagedQuery<PrintRow>({
        noun,
        key: ['print', request.search, request.seesPeople],
        page: async (paging, signal) => {
          const { search, whoami } = request
          const view = search['view'] ?? ''
          const userId = userIdOf(whoami)
          const all = { ...request, filters: filtersOf(search), paging, view, userId }
          const { data, next_cursor } = await page(all, signal)
          return { next_cursor, data: data.map(toRow) }
        },
        limit,
      }),
  }
}

const day = (date: string | null) => (date === null ? '' : formatDay(date))
const includePeople = (seesPeople: boolean) => (seesPeople ? { include: ['people' as const] } : {})

const risks = printList({
  noun: 'risks',
  title: 'risks.title',
  limit: 1000,
  sets: {
    status: 'riskStatus',
    level: 'level',
    flag: 'riskFlag',
    category: 'riskCategory',
    response: 'riskResponse',
  },
  views: (userId) => ({ ...riskViewQueries(userId), closed: { status: 'occurred,closed' } }),
  page: (
    { filters, paging, view, userId, seesPeople },
    signal,
  ): Promise<ListResponse<RegisterEntry | ClosedRisk>> => {
    const query = { ...filters, ...paging, ...includePeople(seesPeople) }
    return view === 'closed'
      ? client.risks.list_closed({ query }, { signal })
      : client.risks.list({ query: { ...riskViewQueries(userId)[view], ...query } }, { signal })
  },
  columns: [
    [t('word.score'), ({ score, level }) => ({ text: formatNumber(score), level })],
    [t('word.ref'), ({ ref }) => ref],
    [t('word.title'), ({ title }) => title],
    [fieldLabel('owner_user_id'), ({ owner }) => owner?.name ?? ''],
    [fieldLabel('status'), ({ status }) => label('riskStatus', status)],
    [t('word.next-review'), ({ review_on }) => day(review_on)],
    [t('word.project'), ({ project }) => project.name],
  ],
})

const issues = printList({
  noun: 'issues',
  title: 'issues.title',
  limit: 1000,
  sets: { status: 'issueStatus', flag: 'issueFlag' },
  views: (userId) => ({ ...issueViewQueries(userId), closed: { status: 'closed' } }),
  page: (
    { filters, paging, view, userId, seesPeople },
    signal,
  ): Promise<ListResponse<OpenIssue | ClosedIssue>> => {
    const query = { ...filters, ...paging, ...includePeople(seesPeople) }
    return view === 'closed'
      ? client.issues.list_closed({ query }, { signal })
      : client.issues.list({ query: { ...issueViewQueries(userId)[view], ...query } }, { signal })
  },
  columns: [
    [fieldLabel('severity'), ({ severity }) => formatNumber(severity)],
    [t('word.ref'), ({ ref }) => ref],
    [t('word.title'), ({ title }) => title],
    [fieldLabel('assignee_user_id'), ({ assignee }) => assignee?.name ?? ''],
    [fieldLabel('status'), ({ status }) => label('issueStatus', status)],
    [t('word.due'), ({ due_on }) => day(due_on)],
    [t('word.project'), ({ project }) => project.name],
  ],
})

const tasks = printList({
  noun: 'tasks',
  title: 'tasks.title',
  sets: { status: 'taskStatus' },
  views: taskViewQueries,
  page: ({ filters, paging, view, userId }, signal) =>
    client.tasks.list(
      { query: { ...taskViewQueries(userId)[view], ...filters, ...paging } },
      { signal },
    ),
  columns: [
    [t('word.ref'), ({ ref }) => ref],
    [t('word.title'), ({ title }) => title],
    [fieldLabel('assignee_user_id'), ({ assignee_user_id }) => [assignee_user_id]],
    [fieldLabel('status'), ({ status }) => label('taskStatus', status)],
    [t('word.due'), ({ due_on }) => day(due_on)],
  ],
})

const people = printList({
  noun: 'personnel',
  title: 'people.title',
  sets: { status: 'personStatus' },
  page: ({ filters, paging }, signal) =>
    client.personnel.list({ query: { ...filters, ...paging } }, { signal }),
  columns: [
    [fieldLabel('name'), ({ name }) => name],
    [fieldLabel('title'), ({ title }) => title ?? ''],
    [fieldLabel('department'), ({ department }) => department ?? ''],
    [fieldLabel('email'), ({ email }) => email ?? ''],
    [fieldLabel('manager_user_id'), ({ manager_user_id }) => [manager_user_id]],
    [fieldLabel('status'), ({ status }) => label('personStatus', status)],
  ],
})

const projects = printList({
  noun: 'projects',
  title: 'projects.title',
  sets: { status: 'projectStatus', health: 'projectHealth' },
  views: (userId) => ({
    active: { status: 'active' },
    mine: { owner_user_id: userId },
    attention: { health: 'off_track,at_risk' },
    archived: { status: 'archived' },
  }),
  page: ({ filters, paging, view, userId }, signal) =>
    listProjects({ search: { ...filters, view }, userId }, paging, signal),
  columns: [
    [t('project.code'), ({ code }) => code],
    [t('word.name'), ({ name }) => name],
    [fieldLabel('owner_user_id'), ({ owner_user_id }) => [owner_user_id]],
    [fieldLabel('status'), ({ status }) => label('projectStatus', status)],
    [fieldLabel('health'), ({ health }) => (health ? label('projectHealth', health) : '')],
    [t('projects.risks'), ({ summary }) => (summary ? formatNumber(summary.live_risks) : '—')],
    [t('issues.list'), ({ summary }) => (summary ? formatNumber(summary.open_issues) : '—')],
    [t('word.due'), ({ due_on }) => day(due_on)],
  ],
})

const groups = printList({
  noun: 'groups',
  title: 'groups.title',
  limit: 60,
  sets: { status: 'groupStatus' },
  page: ({ filters, paging }, signal) =>
    client.groups.list({ query: { ...filters, ...paging } }, { signal }),
  columns: [
    [fieldLabel('name'), ({ name }) => name],
    [fieldLabel('description'), ({ description }) => description ?? ''],
    [t('word.members'), ({ member_count }) => formatNumber(member_count)],
    [fieldLabel('lead_user_ids'), ({ lead_user_ids }) => lead_user_ids.slice(0, 3)],
  ],
})

export const printLists: Readonly<Record<string, PrintList>> = {
  risks,
  issues,
  tasks,
  people,
  projects,
  groups,
}
