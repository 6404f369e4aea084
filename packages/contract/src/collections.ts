/**
 * The collections, each with its letter in ETags. Each collection has its own sequence number per
 * workspace, so a write to the roster does not invalidate a cached page of the register.
 */
export const collections = {
  personnel: 'p',
  groups: 'g',
  projects: 'j',
  risks: 'r',
  issues: 'i',
  tasks: 't',
  keys: 'k',
  access: 'a',
} as const satisfies Record<string, string>

export type Collection = keyof typeof collections

/**
 * The revision of the response schemas, part of every ETag: a changed schema invalidates cached
 * responses. A test fails when a response schema changes and this number does not.
 */
export const revision = 12
