import { copyFile, mkdir } from 'node:fs/promises'

import { buildConsole } from '@muster/console'

/**
 * `npm run build`: puts what is made by development dependencies, or is one, where an installation
 * without them finds it: the console and the reference. Everything else runs as it is.
 */
const bundle = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'))
const folder = new URL('../packages/api/public/', import.meta.url)

await mkdir(folder, { recursive: true })
await copyFile(bundle, new URL('scalar.js', folder))
await buildConsole()
console.error('packages/api/public has the reference and the console.')
