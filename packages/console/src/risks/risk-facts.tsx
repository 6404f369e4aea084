import { Badge, Group, SimpleGrid, Stack, Text } from '@mantine/core'
import type { Project, Risk } from '@muster/contract'

import { formatAge, formatDay, formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'
import { AnchorLink } from '#ui/links.tsx'
import { Fact, Section } from '#ui/page.tsx'
import { PersonLink, usePersonNames } from '#ui/people.tsx'

interface Props {
  readonly risk: Risk
  readonly project: Project | undefined
}

export function RiskFacts({ risk, project }: Props) {
  const { acceptance } = risk
  const names = usePersonNames([risk.owner_user_id, acceptance?.accepted_by_user_id ?? null])
  return (
    <Section title={t('risk.about')}>
      <Stack gap="md">
        <Text className="prose" {...(risk.description === null && { c: 'dimmed' })}>
          {risk.description ?? t('risk.no-description')}
        </Text>
        <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} spacing="sm" m={0}>
          <Fact name={t('risk.field.project')}>
            <AnchorLink
              to="/projects/$project_id"
              params={{ project_id: risk.project_id }}
              inherit
              className="wrap"
            >
              {project ? `${project.code} ${project.name}` : risk.project_id}
            </AnchorLink>
          </Fact>
          <Fact name={t('risk.field.owner')}>
            <PersonLink userId={risk.owner_user_id} names={names} />
          </Fact>
          <Fact name={t('risk.field.category')}>{label('riskCategory', risk.category)}</Fact>
          <Fact name={t('risk.field.response')}>{label('riskResponse', risk.response)}</Fact>
          <Dates risk={risk} />
          <Fact name={t('risk.field.tags')}>
            <Tags tags={risk.tags} />
          </Fact>
        </SimpleGrid>
        {acceptance && <Acceptance acceptance={acceptance} names={names} />}
        <Metadata metadata={risk.metadata} />
      </Stack>
    </Section>
  )
}

function Dates({ risk }: { readonly risk: Risk }) {
  const { review_on, last_reviewed_at, created_at, updated_at } = risk
  return (
    <>
      <Fact name={t('risk.review-on')}>{review_on ? formatDay(review_on) : t('risk.none')}</Fact>
      <Fact name={t('risk.last-reviewed')}>
        {last_reviewed_at ? <Instant at={last_reviewed_at} /> : t('risk.never')}
      </Fact>
      <Fact name={t('risk.created')}>
        <Instant at={created_at} />
      </Fact>
      <Fact name={t('risk.updated')}>
        <Instant at={updated_at} />
      </Fact>
    </>
  )
}

function Instant({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={formatAge(at)}>
      {formatInstant(at)}
    </time>
  )
}

function Tags({ tags }: { readonly tags: readonly string[] }) {
  if (tags.length === 0) return t('risk.none')
  return (
    <Group gap={4} component="span">
      {tags.map((tag) => (
        <Badge
          key={tag}
          component="span"
          variant="default"
          tt="none"
          h="auto"
          radius="sm"
          styles={{ label: { whiteSpace: 'normal', overflowWrap: 'anywhere' } }}
        >
          {tag}
        </Badge>
      ))}
    </Group>
  )
}

interface AcceptanceProps {
  readonly acceptance: NonNullable<Risk['acceptance']>
  readonly names: ReadonlyMap<string, string>
}

/** Who accepted the risk, until when, and why. */
function Acceptance({ acceptance, names }: AcceptanceProps) {
  const { accepted_by_user_id, accepted_at, expires_on, rationale } = acceptance
  return (
    <>
      <SimpleGrid component="dl" cols={{ base: 2, sm: 3 }} spacing="sm" m={0}>
        <Fact name={t('risk.acceptance.by')}>
          <PersonLink userId={accepted_by_user_id} names={names} />
        </Fact>
        <Fact name={t('risk.acceptance.at')}>
          <Instant at={accepted_at} />
        </Fact>
        <Fact name={t('risk.acceptance.until')}>{formatDay(expires_on)}</Fact>
      </SimpleGrid>
      <dl style={{ margin: 0 }}>
        <Fact name={t('risk.acceptance.why')}>
          <span className="prose">{rationale}</span>
        </Fact>
      </dl>
    </>
  )
}

function Metadata({ metadata }: Pick<Risk, 'metadata'>) {
  const entries = Object.entries(metadata)
  if (entries.length === 0) return null
  return (
    <dl style={{ margin: 0 }}>
      <Fact name={t('risk.metadata')}>
        {entries.map(([key, value]) => (
          <div key={key}>
            {key}: {value}
          </div>
        ))}
      </Fact>
    </dl>
  )
}
