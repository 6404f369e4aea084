import { mkdir, writeFile } from 'node:fs/promises'

import { readFromPlugin } from '@muster/api/scalar'
import { buildConsole } from '@muster/console'

import { buildDocs } from './docs/build.ts'

/**
 * `npm run build`: writes the console, the API reference and the documentation to
 * packages/api/public, for production installations without development dependencies. Everything
 * else runs from source.
 */
const folder = new URL('../packages/api/public/', import.meta.url)

await mkdir(folder, { recursive: true })
await writeFile(new URL('scalar.js', folder), await readFromPlugin())
await buildDocs()
await buildConsole()
console.error('Wrote the API reference, the documentation and the console to packages/api/public.')
