import { Button, Group, List, Stack, Text } from '@mantine/core'
import type { RegisterEntry, RiskSummary } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useReasonAgainst } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import type { Filters } from '#ui/filters.ts'
import { Flags } from '#ui/level.tsx'
import { RiskLink } from '#ui/links.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { WhileOpen } from '#ui/while-open.tsx'

// A dialog is loaded when it is first opened: the page is there sooner.
const AcceptDialog = lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog')
const ReviewDialog = lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog')

interface Props {
  readonly summary: RiskSummary | undefined
  readonly filters: Filters
  /** The worst risks, as far as they are loaded. */
  readonly risks: readonly RegisterEntry[]
}

const shownMost = 5

/** What is rotting: how much of it there is, and the worst of it, each a click from its fix. */
export function CarePanel({ summary, filters, risks }: Props) {
  const worst = risks.filter(({ flags }) => flags.length > 0).slice(0, shownMost)
  const ownerless = summary?.by_owner.find((each) => each.owner_user_id === null)?.count ?? 0
  const flagged = choices('riskFlag').map(({ value }) => ({
    filter: { flag: value },
    name: label('riskFlag', value),
    count: summary?.by_flag[value as keyof RiskSummary['by_flag']] ?? 0,
  }))
  const findings = [
    ...flagged,
    { filter: { owner_user_id: 'none' }, name: t('care.ownerless'), count: ownerless },
  ].filter(({ count, filter }) => count > 0 || filters.isSet(filter))
  return (
    <Section title={t('care.title')}>
      {summary && findings.length === 0 ? (
        <Empty title={t('care.nothing')} advice={t('care.nothing.about')} />
      ) : (
        <Stack gap="sm">
          <Group gap={6} className="no-print">
            {findings.map(({ filter, name, count }) => (
              <Button
                key={name}
                size="compact-sm"
                variant={filters.isSet(filter) ? 'filled' : 'default'}
                aria-pressed={filters.isSet(filter)}
                onClick={() => filters.toggle(filter)}
              >
                {t('care.finding', { name, count })}
              </Button>
            ))}
          </Group>
          <List listStyleType="none" spacing="xs">
            {worst.map((risk) => (
              <List.Item
                key={risk.id}
                styles={{ itemWrapper: { width: '100%' }, itemLabel: { width: '100%' } }}
              >
                <Finding risk={risk} />
              </List.Item>
            ))}
          </List>
        </Stack>
      )}
    </Section>
  )
}

function Finding({ risk }: { readonly risk: RegisterEntry }) {
  const [isOpen, setOpen] = useState(false)
  const reason = useReasonAgainst('projects.manage')
  const isReview = risk.flags.includes('review_overdue')
  const Dialog = isReview ? ReviewDialog : AcceptDialog
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs">
      <div>
        <RiskLink id={risk.id} project_id={risk.project_id} size="sm" className="wrap">
          {risk.ref} {risk.title}
        </RiskLink>
        <Text size="xs" component="div">
          <Flags set="riskFlag" flags={risk.flags} />
        </Text>
      </div>
      <ActionButton
        size="compact-sm"
        variant="light"
        flex="none"
        reason={reason}
        onClick={() => setOpen(true)}
        aria-label={t(isReview ? 'care.review' : 'care.accept', { ref: risk.ref })}
      >
        {t(isReview ? 'risk.review' : 'risk.accept')}
      </ActionButton>
      <WhileOpen isOpen={isOpen}>
        <Dialog risk={risk} onClose={() => setOpen(false)} />
      </WhileOpen>
    </Group>
  )
}
