import manifest from '#contract/package.json' with { type: 'json' }

/** The version of this release, of the service and of the API alike. */
export const { version } = manifest
