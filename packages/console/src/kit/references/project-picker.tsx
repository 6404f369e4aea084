import { useQuery } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { t } from '#text/index.ts'

import { projectQuery } from './projects.ts'
import { type PickerProps, SearchPicker } from './search-picker.tsx'

/** Selects a project; searches by code and name. */
export function ProjectPicker(props: PickerProps) {
  const { value } = props
  const { data: chosen } = useQuery({ ...projectQuery(value ?? ''), enabled: value !== null })
  return (
    <SearchPicker
      placeholder={t('project-picker.placeholder')}
      {...props}
      queryKey={['projects', 'picker']}
      search={async ({ query, signal }) =>
        (await client.projects.list({ query: { ...query, sort: 'name' } }, { signal })).data.map(
          optionOf,
        )
      }
      selected={chosen ? optionOf(chosen) : null}
      emptyMessage={t('projects.no-match')}
    />
  )
}

const optionOf = ({ id, code, name }: { id: string; code: string; name: string }) => ({
  value: id,
  label: `${code} ${name}`,
})
