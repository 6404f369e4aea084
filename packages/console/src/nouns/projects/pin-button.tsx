import { ActionIcon, Tooltip } from '@mantine/core'
import type { Project } from '@muster/contract'

import { usePinnedProjects } from '#data/pinned.ts'
import { IconPin } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

/** Pins a project to the sidebar, or removes it from there. */
export function PinButton({ project: { id, name } }: { readonly project: Project }) {
  const { isPinned, toggle } = usePinnedProjects()
  const isOn = isPinned(id)
  const text = t(isOn ? 'project.unpin' : 'project.pin', { name })
  return (
    <Tooltip label={text}>
      <ActionIcon aria-label={text} aria-pressed={isOn} onClick={() => toggle(id)}>
        <IconPin size={16} fill={isOn ? 'currentColor' : 'none'} />
      </ActionIcon>
    </Tooltip>
  )
}
