import { useLocalStorage } from '@mantine/hooks'

import { useWhoami } from './whoami.ts'

const pinnedMax = 20

interface PinnedProjects {
  /** The ids of the pinned projects, in the order of pinning. */
  readonly ids: readonly string[]
  readonly isPinned: (projectId: string) => boolean
  readonly toggle: (projectId: string) => void
}

/** The projects that this principal has pinned to the sidebar, in this browser. */
export function usePinnedProjects(): PinnedProjects {
  const { workspace, person, key } = useWhoami()
  const [ids, setIds] = useLocalStorage<readonly string[]>({
    key: `muster.pinned.${workspace.id}.${person?.user_id ?? key?.id ?? ''}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    ids,
    isPinned: (projectId) => ids.includes(projectId),
    toggle: (projectId) =>
      setIds((pinned) =>
        pinned.includes(projectId)
          ? pinned.filter((each) => each !== projectId)
          : [...pinned, projectId].slice(-pinnedMax),
      ),
  }
}
