import { problemsOfChange } from './problems-of-change.ts'
import { problemsOfRequest } from './problems-of-request.ts'

/**
 * Every way a request can fail, by name. Names are never renamed. The name is the `code` of the
 * answer and the tail of its `type`, `/problems/<name>`, which every instance serves as a page.
 */
export const problems = { ...problemsOfRequest, ...problemsOfChange }

export type ProblemName = keyof typeof problems
