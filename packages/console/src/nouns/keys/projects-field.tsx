import { Group, Radio } from '@mantine/core'
import type { limits, Scope } from '@muster/contract'
import { type ReactNode, useState } from 'react'

import { useMissingScopeReason } from '#data/whoami.ts'
import { ProjectsPicker } from '#kit/references/projects-picker.tsx'
import { t } from '#text/index.ts'

import { isBindable } from './scope-texts.ts'

// The type keeps this equal to the limit of the contract.
const projectsMax: typeof limits.keyProjectsMax = 50

/** The projects of a key, as the API has them: null for all projects. */
export type ProjectIds = string[] | null

/** Why the selection cannot be sent; null if it can. */
export function validateProjects(ids: ProjectIds): string | null {
  const count = ids?.length ?? 1
  if (count === 0) return t('key.projects.missing')
  return count > projectsMax ? t('key.projects.too-many', { max: projectsMax, count }) : null
}

type Errors = Readonly<Record<string, ReactNode>>

/** The API reports an unknown project by its index. */
const errorOf = (errors: Errors) =>
  Object.entries(errors).find(([path]) => /^project_ids\b/.test(path))?.[1]

interface Props {
  readonly value: ProjectIds
  readonly onChange: (ids: ProjectIds) => void
  readonly errors: Errors
  /** The scopes of an existing key, which cannot be changed. */
  readonly scopes?: readonly Scope[]
}

/** All projects, or a selection. */
export function ProjectsField({ value, onChange, errors, scopes = [] }: Props) {
  const [selected, setSelected] = useState(value ?? [])
  const hidden = useMissingScopeReason('projects.read')
  const unbindable = scopes.filter((scope) => !isBindable(scope)).join(', ')
  const impossible =
    unbindable === '' ? hidden : t('key.projects.impossible', { scopes: unbindable })
  const select = (ids: string[]) => {
    setSelected(ids)
    onChange(ids)
  }
  return (
    <div>
      <Radio.Group
        label={t('keys.projects')}
        description={impossible ?? t('key.projects.about')}
        value={value === null ? 'all' : 'selected'}
        onChange={(choice) => onChange(choice === 'all' ? null : selected)}
      >
        <Group gap="lg" mt="sm">
          <Radio value="all" label={t('key.projects.all')} />
          <Radio
            value="selected"
            label={t('key.projects.selected')}
            disabled={impossible !== null && value === null}
          />
        </Group>
      </Radio.Group>
      {value !== null && (
        <ProjectsPicker
          aria-label={t('key.projects.selected')}
          data-path="project_ids"
          mt="sm"
          value={value}
          onChange={select}
          error={errorOf(errors)}
        />
      )}
    </div>
  )
}
