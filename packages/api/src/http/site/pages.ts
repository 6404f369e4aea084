import { readFileSync } from 'node:fs'

import { everyOperation, problems, type ProblemName } from '@muster/contract'
import { nouns, openapi } from '@muster/contract/openapi'
import type { FastifyInstance, FastifyReply } from 'fastify'

import { Failure } from '#domain/failure'

import { addConsole } from './console.ts'
import { addDocs } from './docs.ts'
import { type Html, html, page, prose } from './html.ts'
import { chooseType } from './negotiate.ts'

/** What a person sees who opens this service in a browser. None of it needs a key. */
export function addPages(app: FastifyInstance): void {
  // Made when it is first asked for: it takes a tenth of the time that the service needs to start.
  let document: Buffer | null = null
  const written = () => (document ??= Buffer.from(JSON.stringify(openapi())))
  const stylesheet = readFileSync(new URL('page.css', import.meta.url))
  app.get('/about', async (request, reply) =>
    sendPage(reply, aboutPage(`${request.protocol}://${request.host}`)),
  )
  app.get('/openapi.json', async (_request, reply) =>
    reply.type('application/json').send(written()),
  )
  app.get('/assets/page.css', async (_request, reply) => reply.type('text/css').send(stylesheet))
  app.get('/problems', async (_request, reply) => sendPage(reply, problemsPage()))
  app.get('/problems/:code', async (request, reply) => {
    const { code } = request.params as { code: string }
    if (!isProblem(code)) throw new Failure('not_found', 'There is no problem of this name.')
    const type = chooseType(request.headers, ['text/html', 'application/json'])
    reply.header('vary', 'Accept')
    if (type === 'text/html') return sendPage(reply, problemPage(code))
    return reply.type(type).send(Buffer.from(JSON.stringify(aboutProblem(code))))
  })
  addDocs(app)
  addConsole(app)
}

const policy = [
  "default-src 'none'",
  "style-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

export function sendPage(reply: FastifyReply, text: string) {
  return reply.type('text/html; charset=utf-8').header('content-security-policy', policy).send(text)
}

/** All that can be done to one noun. */
function nounSection(noun: string, about: string): Html {
  const operations = everyOperation().filter(({ name }) => name.startsWith(`${noun}.`))
  const rows = operations.map(
    ({ operation: { summary, method, path, scope } }) =>
      html`<tr>
        <td>${summary}<br /><code>${method} ${path}</code></td>
        <td class="quiet">${scope === 'any_key' ? 'any key' : scope}</td>
      </tr>`,
  )
  return html`<h3 id="${noun}">${noun}</h3>
    <p class="quiet">${about}</p>
    <table>
      <tbody>
        ${rows}
      </tbody>
    </table>`
}

function aboutPage(base: string): string {
  const sections = Object.entries(nouns).map(([noun, about]) => nounSection(noun, about))
  return page(
    'Muster',
    html`<h1>The roster, the risk register and the open issues of every project.</h1>
      <p>
        Muster is an operations service: an HTTP API for an organisation’s people, groups and
        projects, with the risks and issues of all projects rolled up into two ranked lists.
      </p>
      <p>
        Read the <a href="/docs">reference</a>, look a <a href="/problems">problem</a> up, or take
        the <a href="/openapi.json">OpenAPI document</a>. People use the <a href="/">console</a>.
      </p>
      <h2>The first call</h2>
      <p>Whoever runs this service makes you a key:</p>
      <pre><code>KEY=$(npm run -s admin -- key create \\
  --name "My first key" --scopes personnel.read)</code></pre>
      <p>Then ask who you are, and who is on the roster:</p>
      <pre><code>BASE=${base}
curl -H "Authorization: Bearer $KEY" $BASE/v1/whoami
curl -H "Authorization: Bearer $KEY" $BASE/v1/personnel</code></pre>
      <h2>What it can do</h2>
      <p>Beside each operation stands the scope that a key needs for it.</p>
      ${sections}
      <h2>Health checks</h2>
      <p><a href="/livez">/livez</a> and <a href="/readyz">/readyz</a> need no key.</p>`,
  )
}

function isProblem(code: string): code is ProblemName {
  return Object.hasOwn(problems, code)
}

function aboutProblem(code: ProblemName) {
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
        The answer you got has a <code>detail</code> that says more about this one time, and a
        <code>request_id</code> to give to whoever runs this service.
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
      <p>Every way a request can fail, by the <code>code</code> in its answer.</p>
      <div class="scroll">
        <table>
          <tbody>
            ${rows}
          </tbody>
        </table>
      </div>`,
  )
}
