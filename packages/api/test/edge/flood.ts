import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

import { timed } from '#test/support/watch'

interface FloodOptions {
  readonly base: string
  /** Each has an address of its own on loopback. */
  readonly connections: number
  /** Requests of a connection that wait for their response at once. */
  readonly depth: number
  readonly request: () => string
}

/** Fewer than the service answers on one connection. */
const perConnection = 900

/** Sends pipelined requests without a pause, until it is stopped. Returns the statuses. */
export function startFlood({ base, connections, depth, request }: FloodOptions) {
  const { port } = new URL(base)
  const statuses = new Map<string, number>()
  const sockets = new Set<Socket>()
  const stopped = new AbortController()
  const open = (index: number) =>
    new Promise<void>((resolve) => {
      const localAddress = `127.0.2.${1 + (index % 200)}`
      const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
      sockets.add(socket)
      let [waiting, sent] = [0, 0]
      const send = () => {
        const count = Math.min(depth - waiting, perConnection - sent)
        waiting += count
        sent += count
        if (count > 0) socket.write(Array.from({ length: count }, request).join(''))
      }
      socket.on('error', () => {})
      socket.on('close', () => {
        sockets.delete(socket)
        resolve()
      })
      socket.on('data', (chunk) => {
        for (const [, status = ''] of chunk.toString('latin1').matchAll(/HTTP\/1\.1 (\d{3})/g)) {
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          waiting -= 1
        }
        if (sent >= perConnection && waiting <= 0) socket.destroy()
        else send()
      })
      send()
    })
  const loops = Array.from({ length: connections }, async (_, index) => {
    while (!stopped.signal.aborted) await open(index)
  })
  return async () => {
    stopped.abort()
    for (const socket of sockets) socket.destroy()
    await Promise.all(loops)
    return Object.fromEntries(statuses)
  }
}

const pauseMs = 20

/** What a client with four connections gets, which pauses after each response. */
export async function watchClient(url: URL, token: string, durationMs: number) {
  const headers = { authorization: `Bearer ${token}` }
  const times: number[] = []
  const refused: number[] = []
  const end = performance.now() + durationMs
  await Promise.all(
    Array.from({ length: 4 }, async () => {
      while (performance.now() < end) {
        const { status, ms } = await timed(url, { headers })
        if (status === 200) times.push(ms)
        else refused.push(status)
        await sleep(pauseMs)
      }
    }),
  )
  const sorted = times.toSorted((a, b) => a - b)
  return {
    refused,
    perSecond: times.length / (durationMs / 1000),
    p50: sorted[Math.floor(sorted.length / 2)] ?? Infinity,
  }
}

/**
 * Reads pages without a pause in another process, one after another with each key. In this process
 * the large responses would delay the client that is watched. Returns the number of pages.
 */
export function startReaders(urls: readonly URL[], tokens: readonly string[]) {
  const source = `
    const { get } = require('node:http')
    const [urls, tokens] = JSON.parse(process.argv[1])
    let [pages, isStopped] = [0, false]
    const read = (url, token) => new Promise((resolve) => {
      const headers = { authorization: 'Bearer ' + token }
      get(url, { headers }, (response) => {
        if (response.statusCode === 200) pages += 1
        response.resume().on('close', resolve)
      }).on('error', resolve)
    })
    tokens.forEach(async (token, from) => {
      for (let count = from; !isStopped; count++) await read(urls[count % urls.length], token)
    })
    process.stdin.on('end', () => { console.log(pages); process.exit() }).resume()`
  return startChild(source, [urls, tokens])
}

/** Posts a table with too many columns on one connection without a pause. Returns the number. */
export function startRefusedBatches(url: URL, token: string, bytes: number) {
  const source = `
    const { Agent, request } = require('node:http')
    const [url, token, bytes] = JSON.parse(process.argv[1])
    const body = Buffer.alloc(bytes, 'title,')
    const headers = { authorization: 'Bearer ' + token, 'content-type': 'text/csv' }
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    const options = { method: 'POST', headers, agent }
    let refused = 0
    const send = () => request(url, options, (response) => {
      if (response.statusCode === 400) refused += 1
      response.resume().on('close', send)
    }).on('error', send).end(body)
    send()
    process.stdin.on('end', () => { console.log(refused); process.exit() }).resume()`
  return startChild(source, [url, token, bytes])
}

/** Runs a script until it is stopped. Returns the number that it prints at the end. */
function startChild(source: string, parameters: readonly unknown[]) {
  const flags = ['-e', source, JSON.stringify(parameters)]
  const child = spawn(process.execPath, flags, { stdio: ['pipe', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.on('data', (data: Buffer) => (output += data.toString()))
  return () =>
    new Promise<number>((resolve) => {
      child.once('close', () => resolve(Number(output)))
      child.stdin.end()
    })
}
