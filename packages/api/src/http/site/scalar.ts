import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'

import Fastify from 'fastify'

const built = new URL('../../../public/scalar.js', import.meta.url)

/**
 * Returns a function that reads Scalar's bundle: from the build, else from Scalar's plugin, a
 * development dependency. The plugin is small because it contains the bundle without the packages
 * from which it is made. Returns null if there is neither.
 */
export function findScalar(): (() => Promise<Buffer>) | null {
  if (existsSync(built)) return () => readFile(built)
  try {
    import.meta.resolve('@scalar/fastify-api-reference')
    return readFromPlugin
  } catch {
    return null
  }
}

export async function readFromPlugin(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference')
  const app = Fastify()
  await app.register(plugin, { configuration: { url: '/openapi.json' } })
  const { rawPayload } = await app.inject('/reference/js/scalar.js')
  await app.close()
  return rawPayload
}
