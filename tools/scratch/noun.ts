import type { Edit } from './edit.ts'
import { declaringEdits } from './noun-declared.ts'
import { servingEdits } from './noun-served.ts'

/** The steps of "Add a noun" in CONTRIBUTING.md: a workspace gets sites. */
export const nounEdits: readonly Edit[] = [...declaringEdits, ...servingEdits]
