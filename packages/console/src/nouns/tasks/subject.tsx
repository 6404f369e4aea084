import type { Task } from '@muster/contract'
import { queryOptions, useQuery } from '@tanstack/react-query'

import { batchById } from '#data/batch.ts'
import { client } from '#data/client.ts'
import { IssueLink, RiskLink } from '#kit/parts/links.tsx'
import {
  type PickerProps,
  SearchPicker,
  type SearchRequest,
} from '#kit/references/search-picker.tsx'
import { t } from '#text/index.ts'

import { isRiskId } from './queries.ts'

interface SubjectRef {
  readonly projectId: string
  /** The id of a risk or an issue; its prefix shows which. */
  readonly id: string
}

interface Subject {
  readonly id: string
  readonly ref: string
  readonly title: string
}

/** The risk or issue that a task belongs to. */
const subjectQuery = ({ projectId, id }: SubjectRef) =>
  queryOptions({
    queryKey: [isRiskId(id) ? 'risks' : 'issues', 'one', id],
    queryFn: ({ signal }): Promise<Subject> =>
      isRiskId(id)
        ? client.risks.view({ params: { project_id: projectId, risk_id: id } }, { signal })
        : client.issues.view({ params: { project_id: projectId, issue_id: id } }, { signal }),
  })

const optionOf = ({ id, ref, title }: Subject) => ({ value: id, label: `${ref} ${title}` })

/** Live risks and open issues of the project. */
const searchIn =
  (projectId: string) =>
  async ({ query, signal }: SearchRequest) => {
    const narrowed = { ...query, project_id: [projectId] }
    const [risks, issues] = await Promise.all([
      client.risks.list({ query: narrowed }, { signal }),
      client.issues.list({ query: narrowed }, { signal }),
    ])
    return [...risks.data, ...issues.data].map(optionOf)
  }

/** Selects a live risk or an open issue of the project; searches by reference and title. */
export function SubjectPicker({
  projectId,
  ...props
}: PickerProps & { readonly projectId: string }) {
  const { value } = props
  const { data: chosen } = useQuery({
    ...subjectQuery({ projectId, id: value ?? '' }),
    enabled: value !== null,
  })
  return (
    <SearchPicker
      placeholder={t('task.about.placeholder')}
      {...props}
      queryKey={['risks', 'for-task', projectId]}
      search={searchIn(projectId)}
      selected={chosen ? optionOf(chosen) : null}
      emptyMessage={t('task.about.nothing')}
    />
  )
}

/** Only live risks and open issues are in the lists; others are loaded one by one. */
const loadRisk = batchById(async (id) =>
  byId(await client.risks.list({ query: { id, limit: 100 } })),
)
const loadIssue = batchById(async (id) =>
  byId(await client.issues.list({ query: { id, limit: 100 } })),
)

const byId = ({ data }: { readonly data: readonly Subject[] }) =>
  new Map(data.map((subject) => [subject.id, subject]))

interface SubjectOfTaskProps {
  readonly task: Task
  /** Shows the title instead of the word before the reference. */
  readonly withTitle?: boolean
}

/** The risk that a task treats, or the issue that it is for. Cells share one request. */
export function SubjectOfTask({ task, withTitle = false }: SubjectOfTaskProps) {
  const { project_id, risk_id } = task
  const id = risk_id ?? task.issue_id
  const { data, isError } = useQuery({
    queryKey: [risk_id === null ? 'issues' : 'risks', 'subject', id],
    queryFn: async ({ client: queries }) =>
      (await (risk_id === null ? loadIssue : loadRisk)(id ?? '')) ??
      (await queries.fetchQuery(subjectQuery({ projectId: project_id, id: id ?? '' }))),
    enabled: id !== null,
    staleTime: 60_000,
  })
  if (id === null || isError) return t('value.none')
  if (!data) return '…'
  const Link = risk_id === null ? IssueLink : RiskLink
  return (
    <>
      {!withTitle && `${t(risk_id === null ? 'task.for' : 'task.treats')} `}
      <Link item={{ id, project_id }}>{withTitle ? `${data.ref} ${data.title}` : data.ref}</Link>
    </>
  )
}
