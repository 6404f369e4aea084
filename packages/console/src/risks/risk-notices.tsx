import { Alert, Group, Text } from '@mantine/core'
import type { Project, Risk } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'

import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { ButtonLink } from '#ui/links.tsx'

import { riskIssues } from './queries.ts'

interface Props {
  readonly risk: Risk
  readonly project: Project | undefined
}

/** Why a risk cannot be worked on, with a link to its issue. */
export function RiskNotices({ risk, project }: Props) {
  return (
    <>
      {project?.status === 'archived' && (
        <Alert color="gray" variant="outline" title={t('risk.is-archived', { code: project.code })}>
          {t('risk.is-archived.about')}
        </Alert>
      )}
      {risk.status === 'occurred' && <Occurred risk={risk} />}
      {risk.status === 'closed' && <Closed risk={risk} />}
    </>
  )
}

function Occurred({ risk }: { readonly risk: Risk }) {
  const { data } = useQuery(riskIssues(risk, 1))
  const issue = data?.[0]
  return (
    <Alert color="gray" variant="outline" role="status" title={t('risk.is-occurred')}>
      <Group justify="space-between" gap="xs">
        {t('risk.is-occurred.about')}
        {issue && (
          <ButtonLink
            to="/projects/$project_id/issues/$issue_id"
            params={{ project_id: issue.project_id, issue_id: issue.id }}
            size="compact-sm"
          >
            {t('risk.is-occurred.link', { ref: issue.ref })}
          </ButtonLink>
        )}
      </Group>
    </Alert>
  )
}

function Closed({ risk: { close_reason, close_note, closed_at } }: { readonly risk: Risk }) {
  const reason = close_reason === null ? '' : label('riskCloseReason', close_reason)
  return (
    <Alert color="gray" variant="outline" title={t('risk.is-closed', { reason })}>
      {close_note && (
        <Text size="sm" className="prose">
          {close_note}
        </Text>
      )}
      {closed_at && (
        <Text size="sm" c="dimmed">
          {t('risk.is-closed.about', { day: formatInstant(closed_at) })}
        </Text>
      )}
    </Alert>
  )
}
