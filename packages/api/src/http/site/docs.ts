import { existsSync, globSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

import type { FastifyInstance } from 'fastify'

import { html, page } from './html.ts'
import { sendPage } from './send-page.ts'

/** The output folder of `npm run build`. */
const folder = new URL('../../../public/docs/', import.meta.url)

/**
 * Serves the documentation, which the build renders from Markdown: the pages and their pictures.
 * Without a build, `/docs` explains how to install it.
 */
export function addDocs(app: FastifyInstance): void {
  if (!existsSync(folder)) {
    app.get('/docs', async (_request, reply) => sendPage(reply.code(404), missingPage()))
    return
  }
  const names = globSync('**/*.{html,png}', { cwd: fileURLToPath(folder) })
  for (const name of names.map((each) => each.replaceAll('\\', '/'))) {
    const file = new URL(name, folder)
    if (name.endsWith('.png')) {
      app.get(`/docs/${name}`, async (_request, reply) =>
        reply.type('image/png').send(await readFile(file)),
      )
    } else {
      const path = `/docs/${name}`.replace(/(\/index)?\.html$/, '')
      app.get(path, async (_request, reply) => sendPage(reply, await readFile(file, 'utf8')))
    }
  }
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
