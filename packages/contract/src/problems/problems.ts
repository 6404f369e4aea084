import { domainProblems } from './domain-problems.ts'
import { httpProblems } from './http-problems.ts'

/**
 * Every problem type by name. Names never change. The name is the `code` of the response and the
 * end of its `type`, `/problems/<name>`, which every instance serves as a page.
 */
export const problems = { ...httpProblems, ...domainProblems }

export type ProblemName = keyof typeof problems
