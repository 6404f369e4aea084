import { once } from 'node:events'
import { createServer } from 'node:net'

/** Whether a server can listen on this port of 127.0.0.1. */
export async function isPortFree(port: number): Promise<boolean> {
  const server = createServer().listen({ host: '127.0.0.1', port })
  try {
    await once(server, 'listening')
  } catch {
    return false
  }
  server.close()
  await once(server, 'close')
  return true
}
