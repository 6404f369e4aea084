/** What the sweep adds because a release without it wrote the workspace, until nothing is missing. */

import type { Read } from '#storage/statements/access'

/** Each is false until a sweep has found nothing to add. */
export async function selectCompleteness(read: Read) {
  const row = await read.db
    .selectFrom('workspace_counters')
    .select(['has_task_states', 'has_search_documents'])
    .where('workspace_id', '=', read.workspaceId)
    .executeTakeFirst()
  return row ?? { has_task_states: true, has_search_documents: true }
}

export async function markComplete(
  read: Read,
  part: 'has_task_states' | 'has_search_documents',
): Promise<void> {
  await read.db
    .updateTable('workspace_counters')
    .set({ [part]: true })
    .where('workspace_id', '=', read.workspaceId)
    .execute()
}
