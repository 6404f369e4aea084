import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

import { atEnd } from '@muster/testing/at-end'

/** The reason to skip tests that need Redis; false when redis-server is installed. */
export const noRedis =
  spawnSync('redis-server', ['--version']).status === 0 ? false : 'redis-server is not installed'

/** Starts a Redis without persistence, which a test can freeze and kill. */
export async function startRedis(port: number): Promise<ChildProcess> {
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--dir', '/tmp']
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  atEnd(() => endRedis(child))
  let output = ''
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (data: Buffer) => {
      output += data.toString()
      if (output.includes('Ready to accept connections')) resolve()
    })
    child.once('exit', () => reject(new Error(`redis-server ended: ${output}`)))
  })
  return child
}

export async function endRedis(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** A TCP proxy to a port that delays every response by `ms`; returns the port of the proxy. */
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
