import { createPrompt } from '#api/prompt.ts'

export interface Conflict {
  /** The resource as the user saw it. */
  readonly base: object
  /** The current resource. */
  readonly theirs: object
  /** The fields that the user wants to change. */
  readonly mine: object
}

/** Asks in the conflict dialog. True: overwrite; false: keep the other change. */
export const { ask: promptForConflict, usePrompt: useConflictPrompt } = createPrompt<
  Conflict,
  boolean
>()
