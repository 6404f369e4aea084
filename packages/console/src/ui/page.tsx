import { Breadcrumbs, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

interface PageProps {
  readonly title: string
  /** What stands beside the title, such as a reference or a badge. */
  readonly beside?: ReactNode
  /** The way here: links, the topmost first. */
  readonly trail?: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** What every page has: a title, the way back, and what can be done on it. */
export function Page({ title, beside, trail = [], actions, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <Stack gap="md">
      {trail.length > 0 && (
        <nav aria-label={t('page.trail')}>
          <Breadcrumbs>{trail}</Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" align="center" flex="1 1 0" miw={200}>
          <Title order={1} size="h2" className="wrap">
            {title}
          </Title>
          {beside}
        </Group>
        {actions && (
          <Group gap="xs" className="no-print">
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}

interface SectionProps {
  readonly title: string
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** A part of a page that has a name, and can be jumped to by it. */
export function Section({ title, beside, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {beside}
      </Group>
      {children}
    </Paper>
  )
}

interface EmptyProps {
  readonly title: string
  readonly advice: string
  readonly children?: ReactNode
}

/** Where there is nothing yet: what to do first. */
export function Empty({ title, advice, children }: EmptyProps) {
  return (
    <Stack align="center" gap="xs" py="xl" px="md">
      <Text fw={600}>{title}</Text>
      <Text c="dimmed" ta="center" maw={480}>
        {advice}
      </Text>
      {children}
    </Stack>
  )
}

/** A name and what it says, as pages of one thing list them. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" size="sm" m={0} className="wrap">
        {children}
      </Text>
    </div>
  )
}
