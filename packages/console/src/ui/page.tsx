import { Breadcrumbs, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'

import { t } from '#text/index.ts'

interface PageProps {
  readonly title: string
  /** Shown beside the title, such as a reference or a badge. */
  readonly rightSection?: ReactNode
  /** Breadcrumb links, topmost first. */
  readonly breadcrumbs?: readonly ReactNode[]
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** The title, breadcrumbs and actions of a page. */
export function Page({ title, rightSection, breadcrumbs = [], actions, children }: PageProps) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <Stack gap="md">
      {breadcrumbs.length > 0 && (
        <nav aria-label={t('page.trail')}>
          <Breadcrumbs>{breadcrumbs}</Breadcrumbs>
        </nav>
      )}
      <Group justify="space-between" align="flex-start" gap="sm">
        <Group gap="sm" align="center" flex="1 1 0" miw={200}>
          <Title order={1} size="h2" className="wrap">
            {title}
          </Title>
          {rightSection}
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
  readonly rightSection?: ReactNode
  readonly children: ReactNode
}

/** A section with a heading. Screen readers list it as a region. */
export function Section({ title, rightSection, children }: SectionProps) {
  return (
    <Paper component="section" withBorder p="md" aria-label={title}>
      <Group justify="space-between" mb="sm" gap="xs">
        <Title order={2} size="h4">
          {title}
        </Title>
        {rightSection}
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

export function EmptyState({ title, advice, children }: EmptyProps) {
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

/** A term with its description in a `dl`. */
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
