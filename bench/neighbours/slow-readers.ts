import { connect } from 'node:net'

/** Clients that ask for a complete list and read a few kilobytes a second. Ends when killed. */
export interface SlowReaders {
  readonly base: string
  readonly tokens: readonly string[]
  readonly connections: number
}

const { base, tokens, connections }: SlowReaders = JSON.parse(process.argv[2] ?? '{}')
const { hostname, port, host } = new URL(base)
const readEveryMs = 500

function read(token: string): void {
  const socket = connect({ port: Number(port), host: hostname })
  const head = `GET /v1/risks HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer ${token}\r\n\r\n`
  socket.on('error', () => {})
  socket.on('data', () => {
    socket.pause()
    setTimeout(() => socket.resume(), readEveryMs)
  })
  // The service may close the connection of a slow client. It comes back later.
  socket.on('close', () => setTimeout(() => read(token), readEveryMs))
  socket.write(head)
}

for (let index = 0; index < connections; index++) read(tokens[index % tokens.length] ?? '')
