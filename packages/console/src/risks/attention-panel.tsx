import { Button, Group, List, Stack, Text } from '@mantine/core'
import type { RegisterEntry, RiskSummary } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'
import { useState } from 'react'

import { useMissingScopeReason } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import { choices, label } from '#text/labels.ts'
import { ActionButton } from '#ui/action-button.tsx'
import type { Filters } from '#ui/filters.ts'
import { LazyDialog } from '#ui/lazy-dialog.tsx'
import { Flags } from '#ui/level.tsx'
import { RiskLink } from '#ui/links.tsx'
import { EmptyState, Section } from '#ui/page.tsx'

// Dialogs load when they are first opened, which keeps the page small.
const AcceptDialog = lazyRouteComponent(() => import('./accept-dialog.tsx'), 'AcceptDialog')
const ReviewDialog = lazyRouteComponent(() => import('./review-dialog.tsx'), 'ReviewDialog')

interface Props {
  readonly summary: RiskSummary | undefined
  readonly filters: Filters
  /** The highest-ranked risks that are loaded. */
  readonly risks: readonly RegisterEntry[]
}

const shownMax = 5

/** Counts of flagged and unowned risks, and the worst of them with the action that fixes each. */
export function AttentionPanel({ summary, filters, risks }: Props) {
  const worst = risks.filter(({ flags }) => flags.length > 0).slice(0, shownMax)
  const unownedCount = summary?.by_owner.find((each) => each.owner_user_id === null)?.count ?? 0
  const flagged = choices('riskFlag').map(({ value }) => ({
    filter: { flag: value },
    name: label('riskFlag', value),
    count: summary?.by_flag[value as keyof RiskSummary['by_flag']] ?? 0,
  }))
  const findings = [
    ...flagged,
    { filter: { owner_user_id: 'none' }, name: t('attention.no-owner'), count: unownedCount },
  ].filter(({ count, filter }) => count > 0 || filters.isSet(filter))
  return (
    <Section title={t('attention.title')}>
      {summary && findings.length === 0 ? (
        <EmptyState title={t('attention.none')} advice={t('attention.none.about')} />
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
                {t('attention.finding', { name, count })}
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
  const reason = useMissingScopeReason('projects.manage')
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
        aria-label={t(isReview ? 'attention.review' : 'attention.accept', { ref: risk.ref })}
      >
        {t(isReview ? 'risk.review' : 'risk.accept')}
      </ActionButton>
      <LazyDialog isOpen={isOpen}>
        <Dialog risk={risk} onClose={() => setOpen(false)} />
      </LazyDialog>
    </Group>
  )
}
