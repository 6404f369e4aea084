import { copyFile, mkdir } from 'node:fs/promises'

/**
 * `npm run build`: puts what comes from development dependencies where an installation without them
 * finds it. Everything else runs as it is.
 */
const bundle = new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference'))
const folder = new URL('../packages/api/public/', import.meta.url)

await mkdir(folder, { recursive: true })
await copyFile(bundle, new URL('scalar.js', folder))
console.error('packages/api/public/scalar.js is there.')
