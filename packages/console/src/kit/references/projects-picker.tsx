import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

import { type ManyPickerProps, MultiSearchPicker } from './multi-search-picker.tsx'
import { useSeenProjects } from './projects.ts'

interface Props extends Omit<ManyPickerProps, 'value' | 'onChange'> {
  readonly value: readonly string[]
  readonly onChange: (ids: string[]) => void
}

/** Selects several projects; searches by code and name. */
export function ProjectsPicker({ value, onChange, ...props }: Props) {
  const { seen, isLoading } = useSeenProjects(value)
  const labels = new Map(seen.map((project) => [project.id, labelOf(project)]))
  const missing = isLoading ? '…' : t('project-picker.unseen')
  return (
    <MultiSearchPicker
      placeholder={t('project-picker.placeholder')}
      // The focus goes to an invalid selection, whose error the dropdown would cover.
      openOnFocus={false}
      {...props}
      queryKey={['projects', 'projects-picker']}
      search={async ({ query, signal }) => {
        const { data } = await client.projects.list(
          { query: { ...query, sort: 'name' } },
          { signal },
        )
        return data.map((project) => ({ value: project.id, label: labelOf(project) }))
      }}
      value={value.map((id) => ({ value: id, label: labels.get(id) ?? missing }))}
      onChange={(chosen) => onChange(chosen.map((option) => option.value))}
      emptyMessage={t('projects.no-match')}
    />
  )
}

const labelOf = ({ code, name }: { code: string; name: string }) => `${code} ${name}`
