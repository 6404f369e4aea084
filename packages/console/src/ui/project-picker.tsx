import { useQuery } from '@tanstack/react-query'

import { client } from '#api/client.ts'
import { t } from '#text/index.ts'

import { projectQuery } from './projects.ts'
import { type PickerProps, SearchPicker } from './search-picker.tsx'

/** Finds a project as its code or name is typed. */
export function ProjectPicker(props: PickerProps) {
  const { value } = props
  const { data: chosen } = useQuery({ ...projectQuery(value ?? ''), enabled: value !== null })
  return (
    <SearchPicker
      placeholder={t('project-picker.placeholder')}
      {...props}
      found={['projects', 'picker']}
      find={async ({ query, signal }) =>
        (await client.projects.list({ query: { ...query, sort: 'name' } }, { signal })).data.map(
          optionOf,
        )
      }
      own={chosen ? optionOf(chosen) : null}
      nothing={t('project-picker.nothing')}
    />
  )
}

const optionOf = ({ id, code, name }: { id: string; code: string; name: string }) => ({
  value: id,
  label: `${code} ${name}`,
})
