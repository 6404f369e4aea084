/** Projects and their items as requests name them. Every path to project data starts here. */

import type { Caller } from '#domain/engine/caller'
import type { OpenedItem, OpenedProject, ProjectRight } from '#storage/statements/view'

/** The path of a risk, an issue or a task. */
export interface ItemPath {
  readonly projectId: string
  readonly id: string
}

/** The project with this id, if the view of the caller shows it; else one that does not exist. */
export const openProject = <R extends ProjectRight>(
  { view }: Caller<`projects.${R}`>,
  id: string,
  right: R,
): OpenedProject<R> => view.open(id, right)

export const openItem = <R extends ProjectRight>(
  caller: Caller<`projects.${R}`>,
  { projectId, id }: ItemPath,
  right: R,
): OpenedItem<R> => ({ project: openProject(caller, projectId, right), id })
