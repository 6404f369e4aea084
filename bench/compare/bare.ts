import { createServer } from 'node:http'

/**
 * The reference of the comparison: a server without a framework that sends the same response to
 * every request. The first argument is the response as JSON; the body is Base64.
 */
export interface BareResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const { status, headers, body }: BareResponse = JSON.parse(process.argv[2] ?? '{}')
const bytes = Buffer.from(body, 'base64')
const server = createServer((request, response) => {
  request.resume()
  response.writeHead(status, headers).end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : 0
  process.stdout.write(`Server listening at http://127.0.0.1:${port}\n`)
})
