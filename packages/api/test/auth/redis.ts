import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

import { atEnd } from './at-end.ts'

/** Why tests with a Redis cannot be run here; false when they can. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed'

/** A Redis of our own that keeps nothing, so that it can be frozen and killed. */
export async function startRedis(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => endRedis(child))
  let said = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      said += data.toString()
      if (said.includes('Ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`redis-server ended: ${said}`)))
  })
  return child
}

export async function endRedis(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** A way to a port on which every answer takes so much longer; the port where it begins. */
export async function startDelay(port: number, ms: number): Promise<number> {
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1')
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => {
        near.destroy()
        far.destroy()
      })
    }
    near.on('data', (data) => far.write(data))
    far.on('data', (data) => setTimeout(() => near.writable && near.write(data), ms))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}
