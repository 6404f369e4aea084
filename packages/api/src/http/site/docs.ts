import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { FastifyInstance } from 'fastify'

import { compressed } from './compressed.ts'
import { html, page } from './html.ts'
import { sendDocsPage, sendPage } from './send-page.ts'

/** The output folder of `npm run build`. */
const folder = new URL('../../../public/docs/', import.meta.url)

/** The files beside the pages, which are HTML. */
const types: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.md': 'text/markdown; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
}

/** The introduction to the API, which `/docs/api` shows above the reference; null if not built. */
export const readIntroduction = async (): Promise<string | null> =>
  existsSync(new URL('api.html', folder)) ? readFile(new URL('api.html', folder), 'utf8') : null

/**
 * Serves the documentation, which the build renders from Markdown: the pages, their Markdown and
 * pictures, the search and `/llms.txt`. Without a build, `/docs` explains how to install it.
 */
export function addDocs(app: FastifyInstance): void {
  if (!existsSync(folder)) {
    app.get('/docs', async (_request, reply) => sendPage(reply.code(404), missingPage()))
    return
  }
  const names = globSync('**/*.*', { cwd: fileURLToPath(folder) })
  for (const name of names.map((each) => each.replaceAll('\\', '/'))) {
    if (name === 'api.html') continue
    const type = types[extname(name)]
    if (type !== undefined) addFile(app, name, type)
    else if (name.endsWith('.html')) addDocument(app, name)
  }
  addLlmsTxt(app)
}

function addDocument(app: FastifyInstance, name: string): void {
  const path = `/docs/${name}`.replace(/(\/index)?\.html$/, '')
  app.get(path, async (_request, reply) =>
    sendDocsPage(reply, await readFile(new URL(name, folder), 'utf8')),
  )
}

function addFile(app: FastifyInstance, name: string, type: string): void {
  const read = () => readFile(new URL(name, folder))
  if (!type.startsWith('text/')) {
    app.get(`/docs/${name}`, async (_request, reply) => reply.type(type).send(await read()))
    return
  }
  const send = compressed(read)
  app.get(`/docs/${name}`, async (request, reply) =>
    send(request, reply.header('cache-control', 'no-cache').type(type)),
  )
}

/** Serves the list for language models (llmstxt.org). Its links have the host of the request. */
function addLlmsTxt(app: FastifyInstance): void {
  const file = new URL('llms.txt', folder)
  if (!existsSync(file)) return
  app.get('/llms.txt', async (request, reply) => {
    const origin = `${request.protocol}://${request.host}`
    const text = (await readFile(file, 'utf8')).replaceAll('{origin}', () => origin)
    return reply.header('cache-control', 'no-store').type('text/plain; charset=utf-8').send(text)
  })
}

const missingPage = () =>
  page(
    'Documentation · Muster',
    html`<h1>The documentation is not installed</h1>
      <p>
        An administrator installs it with <code>npm run build</code> and a restart. The
        <a href="/openapi.json">OpenAPI document</a> describes the operations.
      </p>`,
  )
