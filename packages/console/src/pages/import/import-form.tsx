import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { useMissingScopeReason, useWhoami } from '#data/whoami.ts'
import { download } from '#kit/feedback/download.ts'
import { IconDownload } from '#kit/icons/index.tsx'
import type { Filters } from '#kit/list/filters.ts'
import { ButtonLink } from '#kit/parts/links.tsx'
import { EmptyState, Section } from '#kit/parts/page.tsx'
import { ProjectPicker } from '#kit/references/project-picker.tsx'
import { t } from '#text/index.ts'

import { fieldsOf, type Kind } from './columns/fields.ts'
import { FileField } from './file-field.tsx'
import { bounds } from './read/bounds.ts'
import { allKinds, kinds, templateColumns } from './run/kinds.ts'

interface Props {
  readonly kind: Kind
  readonly filters: Filters
  readonly fileName: string | null
  readonly isBusy: boolean
  /** Shows the file alone, because the rest is decided. */
  readonly isFolded: boolean
  readonly onChoose: (file: File) => void
}

/** Chooses the kind of rows, the project and the file. */
export function ImportForm({ kind, filters, fileName, isBusy, isFolded, onChoose }: Props) {
  const { scope, isInProject } = kinds[kind]
  const missingScope = useMissingScopeReason(scope)
  const reason = missingScope ?? (isBusy ? t('import.busy') : null)
  const projectId = filters.values['project_id'] ?? null
  const hasNoProjects = useHasNoProjects(isInProject)
  const file = <FileField name={fileName} reason={reason} onChoose={onChoose} />
  if (isFolded) return file
  return (
    <Section title={t('import.choose')}>
      <Stack>
        <SegmentedControl
          aria-label={t('import.kind')}
          data={allKinds.map((value) => ({
            value,
            label: t(`${value}.title`),
          }))}
          value={kind}
          onChange={(value) => filters.set({ kind: value })}
          disabled={isBusy}
          maw={420}
        />
        {isInProject && hasNoProjects ? (
          <EmptyState title={t('projects.none')} advice={t('import.no-project.about')}>
            <ButtonLink to="/start" search={{}}>
              {t('risks.none.start')}
            </ButtonLink>
          </EmptyState>
        ) : (
          <>
            {isInProject && (
              <ProjectPicker
                label={t('word.project')}
                description={t('import.project.about')}
                value={projectId}
                onChange={(id) => filters.set({ project_id: id })}
                disabled={isBusy}
                maw={420}
              />
            )}
            {file}
          </>
        )}
        {fileName === null && <FormatHelp kind={kind} />}
      </Stack>
    </Section>
  )
}

/** The expected format and the limits. */
function FormatHelp({ kind }: Pick<Props, 'kind'>) {
  const { limits } = useWhoami()
  const required = fieldsOf[kind].filter(({ isRequired }) => isRequired)
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex="1 1 280px">
        <Text size="sm">
          {t('import.about', { required: required.map(({ label }) => t(label)).join(', ') })}
        </Text>
        <Text size="sm">{t('import.about.change')}</Text>
        <Text size="sm" c="dimmed">
          {t('import.limits', {
            rows: limits.batch_rows_max,
            size: limits.batch_bytes_max / 1024 / 1024,
            most: bounds.fileMiB,
            total: bounds.rows,
          })}
        </Text>
      </Stack>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => download(`${kind}.csv`, `${templateColumns(kind).join(',')}\n`)}
      >
        {t('import.template')}
      </Button>
    </Group>
  )
}

function useHasNoProjects(isEnabled: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['projects', 'any'],
    queryFn: ({ signal }) => client.projects.list({ query: { limit: 1 } }, { signal }),
    enabled: isEnabled,
  })
  return data?.data.length === 0
}
