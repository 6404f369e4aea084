import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { IssueLink, RiskLink } from '#ui/links.tsx'
import { type PickerProps, SearchPicker, type SearchRequest } from '#ui/search-picker.tsx'

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

export function SubjectLink({ projectId, id }: SubjectRef) {
  const { data } = useQuery(subjectQuery({ projectId, id }))
  const text = data ? `${data.ref} ${data.title}` : id
  return isRiskId(id) ? (
    <RiskLink id={id} project_id={projectId} inherit>
      {text}
    </RiskLink>
  ) : (
    <IssueLink id={id} project_id={projectId} inherit>
      {text}
    </IssueLink>
  )
}
