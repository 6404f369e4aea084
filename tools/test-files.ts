import { join } from 'node:path'

/** These files keep their own process, for the reason that is given. */
const ownProcess: readonly [RegExp, string][] = [
  [/\.alone\.test\.ts$/, 'they measure the machine'],
  [/^tools\/[^/]+\.test\.ts$/, 'they start programs, and stop them when their process ends'],
  [/\/import-lines\.test\.ts$/, 'it measures the memory of its process'],
]

export const needsOwnProcess = (file: string) => ownProcess.some(([pattern]) => pattern.test(file))

const isLongest = (file: string) => /\/test\/(large|model)\/|\/every-page\.test\.ts$/.test(file)

const rank = (file: string) => (needsOwnProcess(file) ? 0 : isLongest(file) ? 1 : 2)

/** The longest files come first, so that the processes end at about the same time. */
export const inOrder = (files: readonly string[]) => files.toSorted((a, b) => rank(a) - rank(b))

/** The folder that a process creates when it takes a file. */
export const claimOf = (claims: string, file: string) => join(claims, file.replaceAll('/', '+'))
