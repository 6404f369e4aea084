/**
 * What is listed, and the letter that names it in an ETag. Each collection has a sequence number of
 * its own in every workspace, so a write to the roster invalidates no cached page of the register.
 */
export const collections = {
  personnel: 'p',
  groups: 'g',
  projects: 'j',
  risks: 'r',
  issues: 'i',
  tasks: 't',
  keys: 'k',
} as const satisfies Record<string, string>

export type Collection = keyof typeof collections

/**
 * The revision of the response shapes, part of every ETag: a client's cached copy must not outlive
 * the shape it was made in. A test fails when a response schema changes and this does not.
 */
export const revision = 6
