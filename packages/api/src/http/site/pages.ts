import { readFileSync } from 'node:fs'

import {
  everyOperation,
  problems,
  type ProblemName,
  tagDescriptions,
  version,
} from '@muster/contract'
import { openapi } from '@muster/contract/openapi'
import type { FastifyInstance } from 'fastify'

import { Failure } from '#domain/engine/failure'
import { chooseType } from '#http/request/negotiate'

import { addApiReference } from './api-reference.ts'
import { compressed } from './compressed.ts'
import { addConsole, type SendConsole } from './console.ts'
import { addDocs } from './docs.ts'
import { addFavicon } from './favicon.ts'
import { type Html, html, page, prose } from './html.ts'
import { sendPage } from './send-page.ts'

/** The public pages of the service. They need no key. */
export function addPages(app: FastifyInstance, sendConsole: SendConsole | null): void {
  // Created on the first request: it would add a tenth to the start-up time.
  const sendOpenapi = compressed(() => Buffer.from(JSON.stringify(openapi())))
  const stylesheet = readFileSync(new URL('page.css', import.meta.url))
  app.get('/about', async (request, reply) =>
    sendPage(reply, aboutPage(`${request.protocol}://${request.host}`)),
  )
  app.get('/openapi.json', async (request, reply) =>
    sendOpenapi(request, reply.header('cache-control', 'no-cache').type('application/json')),
  )
  app.get('/assets/page.css', async (_request, reply) => reply.type('text/css').send(stylesheet))
  app.get('/problems', async (_request, reply) => sendPage(reply, problemsPage()))
  app.get('/problems/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    if (!isProblem(code)) throw new Failure('not_found', 'There is no problem with this code.')
    const type = chooseType(request.headers, ['text/html', 'application/json'])
    reply.header('vary', 'Accept')
    if (type === 'text/html') return sendPage(reply, problemPage(code))
    return reply.type(type).send(Buffer.from(JSON.stringify(problemJson(code))))
  })
  addFavicon(app)
  addApiReference(app)
  addDocs(app)
  addConsole(app, sendConsole)
}

/** The operations of one noun. */
function nounSection(noun: string, description: string): Html {
  const operations = everyOperation().filter(({ name }) => name.startsWith(`${noun}.`))
  const rows = operations.map(
    ({ operation: { summary, method, path, scope } }) =>
      html`<tr>
        <td>${summary}<br /><code>${method} ${path}</code></td>
        <td class="quiet">${scope === 'any_principal' ? 'any key' : scope}</td>
      </tr>`,
  )
  return html`<h3 id="${noun}">${noun}</h3>
    <p class="quiet">${description}</p>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function aboutPage(base: string): string {
  const sections = Object.entries(tagDescriptions).map(([noun, description]) =>
    nounSection(noun, description),
  )
  return page(
    'Muster',
    html`<h1>The roster, the risk register and the open issues of every project.</h1>
      <p>
        Muster is an operations service: an HTTP API for an organisation’s people, groups and
        projects, with the risks and issues of all projects rolled up into two ranked lists.
      </p>
      <p>
        Read the <a href="/docs">documentation</a> and the <a href="/docs/api">API reference</a>,
        find a <a href="/problems">problem</a>, download the
        <a href="/openapi.json">OpenAPI document</a>, or open the <a href="/">console</a>.
      </p>
      <p class="quiet">Version ${version}.</p>
      <h2>Quick start</h2>
      <p>An administrator creates an API key:</p>
      <pre><code>KEY=$(npm run -s admin -- key create \\
  --name "My first key" --scopes personnel.read)</code></pre>
      <p>View your key, then list the roster:</p>
      <pre><code>BASE=${base}
curl -H "Authorization: Bearer $KEY" $BASE/v1/whoami
curl -H "Authorization: Bearer $KEY" $BASE/v1/personnel</code></pre>
      <h2>Operations</h2>
      <p>Each operation is listed with its required scope.</p>
      ${sections}
      <h2>Health checks</h2>
      <p><a href="/livez">/livez</a> and <a href="/readyz">/readyz</a> need no key.</p>`,
  )
}

function isProblem(code: string): code is ProblemName {
  return Object.hasOwn(problems, code)
}

function problemJson(code: ProblemName) {
  const { status, title, happened, fix } = problems[code]
  return { type: `/problems/${code}`, code, status, title, happened, fix }
}

function problemPage(code: ProblemName): string {
  const { status, title, happened, fix } = problems[code]
  return page(
    `${code} · Muster`,
    html`<p class="quiet"><a href="/problems">Problems</a> · ${status} <code>${code}</code></p>
      <h1>${title}</h1>
      <h2>What happened</h2>
      <p>${prose(happened)}</p>
      <h2>How to fix it</h2>
      <p>${prose(fix)}</p>
      <p class="quiet">
        The <code>detail</code> of the response describes your request. Include its
        <code>request_id</code> when you contact an administrator.
      </p>`,
  )
}

function problemsPage(): string {
  const byStatus = Object.entries(problems).toSorted(([, a], [, b]) => a.status - b.status)
  const rows = byStatus.map(
    ([code, { status, title }]) =>
      html`<tr>
        <td>${status}</td>
        <td>
          <a href="/problems/${code}"><code>${code}</code></a>
        </td>
        <td>${title}</td>
      </tr>`,
  )
  return page(
    'Problems · Muster',
    html`<h1>Problems</h1>
      <p>All problem types, by the <code>code</code> of the response.</p>
      <div class="scroll">
        <table>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>`,
  )
}
