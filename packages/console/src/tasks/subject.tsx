import { queryOptions, useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'
import { IssueLink, RiskLink } from '#ui/links.tsx'
import { type PickerProps, SearchPicker, type Wanted } from '#ui/search-picker.tsx'

import { isRiskId } from './queries.ts'

interface Place {
  readonly projectId: string
  /** Of a risk or of an issue; its beginning tells which. */
  readonly id: string
}

interface Named {
  readonly id: string
  readonly ref: string
  readonly title: string
}

/** What a task is for: a risk or an issue of its project. */
const aboutQuery = ({ projectId, id }: Place) =>
  queryOptions({
    queryKey: [isRiskId(id) ? 'risks' : 'issues', 'one', id],
    queryFn: ({ signal }): Promise<Named> =>
      isRiskId(id)
        ? client.risks.view({ params: { project_id: projectId, risk_id: id } }, { signal })
        : client.issues.view({ params: { project_id: projectId, issue_id: id } }, { signal }),
  })

const optionOf = ({ id, ref, title }: Named) => ({ value: id, label: `${ref} ${title}` })

/** Live risks and open issues of the project. */
const findIn =
  (projectId: string) =>
  async ({ query, signal }: Wanted) => {
    const narrowed = { ...query, project_id: [projectId] }
    const [risks, issues] = await Promise.all([
      client.risks.list({ query: narrowed }, { signal }),
      client.issues.list({ query: narrowed }, { signal }),
    ])
    return [...risks.data, ...issues.data].map(optionOf)
  }

/** Finds a live risk or an open issue of the project as its reference or title is typed. */
export function AboutPicker({ projectId, ...props }: PickerProps & { readonly projectId: string }) {
  const { value } = props
  const { data: chosen } = useQuery({
    ...aboutQuery({ projectId, id: value ?? '' }),
    enabled: value !== null,
  })
  return (
    <SearchPicker
      placeholder={t('task.about.placeholder')}
      {...props}
      found={['risks', 'for-task', projectId]}
      find={findIn(projectId)}
      own={chosen ? optionOf(chosen) : null}
      nothing={t('task.about.nothing')}
    />
  )
}

/** What a task is for, a click from its page. */
export function AboutLink({ projectId, id }: Place) {
  const { data } = useQuery(aboutQuery({ projectId, id }))
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
