import revisions from '#contract/revisions.json' with { type: 'json' }

/**
 * The revision of the response schemas, part of every ETag: a changed schema invalidates cached
 * responses. `npm run golden` adds a revision with the hash of the schemas when they have changed.
 */
export const revision = Math.max(...Object.keys(revisions).map(Number))
