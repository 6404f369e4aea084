import { Button, Group, SegmentedControl, Stack, Text } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { useReasonAgainst, useWhoami } from '#api/whoami.ts'
import { t } from '#text/index.ts'
import type { Filters } from '#ui/filters.ts'
import { ButtonTo } from '#ui/links.tsx'
import { Empty, Section } from '#ui/page.tsx'
import { ProjectPicker } from '#ui/project-picker.tsx'

import { download } from './download.ts'
import { FileField } from './file-field.tsx'
import { type Kind, kinds } from './kinds.ts'

interface Props {
  readonly kind: Kind
  readonly filters: Filters
  readonly fileName: string | null
  readonly isBusy: boolean
  readonly onChoose: (file: File) => void
}

/** How large a file may be: what is read is held in the browser's memory. */
export const fileMiBMax = 50

/** What is imported, and where it goes. */
export function Chooser({ kind, filters, fileName, isBusy, onChoose }: Props) {
  const { scope, isInProject, required } = kinds[kind]
  const mayNot = useReasonAgainst(scope)
  const reason = mayNot ?? (isBusy ? t('import.busy') : null)
  const projectId = filters.values['project_id'] ?? null
  const isWithoutProject = useHasNoProject(isInProject)
  return (
    <Section title={t('import.choose')}>
      <Stack>
        <SegmentedControl
          aria-label={t('import.kind')}
          data={(['people', 'risks', 'issues'] as const).map((value) => ({
            value,
            label: t(`import.kind.${value}`),
          }))}
          value={kind}
          onChange={(value) => filters.set({ kind: value })}
          disabled={isBusy}
          maw={420}
        />
        {isInProject && isWithoutProject ? (
          <Empty title={t('import.no-project')} advice={t('import.no-project.about')}>
            <ButtonTo to="/start" search={{}}>
              {t('import.no-project.start')}
            </ButtonTo>
          </Empty>
        ) : (
          <>
            {isInProject && (
              <ProjectPicker
                label={t('import.project')}
                description={t('import.project.about')}
                value={projectId}
                onChange={(id) => filters.set({ project_id: id })}
                disabled={isBusy}
                maw={420}
              />
            )}
            <FileField name={fileName} reason={reason} onChoose={onChoose} />
            {fileName && isInProject && projectId === null && (
              <Text fw={600}>{t('import.wait-project')}</Text>
            )}
          </>
        )}
        <About kind={kind} required={required} />
      </Stack>
    </Section>
  )
}

/** What a file has to look like, and how much of it is taken. */
function About({ kind, required }: { kind: Kind; required: readonly string[] }) {
  const { limits } = useWhoami()
  return (
    <Group justify="space-between" align="flex-start" gap="sm">
      <Stack gap={4} flex="1 1 280px">
        <Text size="sm">{t('import.about', { required: required.join(', ') })}</Text>
        <Text size="sm">{t('import.about.change')}</Text>
        <Text size="sm" c="dimmed">
          {t('import.limits', {
            rows: limits.batch_rows_max,
            size: limits.batch_bytes_max / 1024 / 1024,
            most: fileMiBMax,
          })}
        </Text>
      </Stack>
      <Button
        variant="default"
        leftSection={<IconDownload size={16} />}
        onClick={() => download(`${kind}.csv`, `${kinds[kind].columns.join(',')}\n`)}
      >
        {t('import.template')}
      </Button>
    </Group>
  )
}

function useHasNoProject(isAsked: boolean): boolean {
  const { data } = useQuery({
    queryKey: ['projects', 'any'],
    queryFn: ({ signal }) => client.projects.list({ query: { limit: 1 } }, { signal }),
    enabled: isAsked,
  })
  return data?.data.length === 0
}
