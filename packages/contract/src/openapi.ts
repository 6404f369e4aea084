import type { TObject, TSchema } from 'typebox'

import { revision } from './collections.ts'
import { everyOperation } from './index.ts'
import { limits } from './limits.ts'
import { isList, isMergePatch, type Operation } from './operation.ts'
import { ProblemDetails, problemExample } from './problem-details.ts'
import { problems, type ProblemName } from './problems.ts'
import { problemsOf, takesIfMatch } from './refusals.ts'
import { exampleOf, refer } from './shapes.ts'

type Json = Record<string, unknown>

/** What our field builders put on every schema beside its type. */
type Documented = TSchema & { description?: string; examples?: unknown[] }

/** What each noun of the contract is about. */
export const nouns = {
  personnel: 'The people on the roster. A user id from here can be given work.',
  groups: 'The groups that people belong to.',
  projects: 'What risks, issues and tasks belong to.',
  risks: 'Risks are written under their project; the register is a view over all of them.',
  issues: 'Issues are written under their project; the open ones of all are one list.',
  tasks: 'What people do about a project, one of its risks or one of its issues.',
  keys: 'API keys, and what they may do.',
  workspace: 'The organisation itself: its name, its time zone and its policies.',
} as const satisfies Record<keyof typeof import('./index.ts').operations, string>

const header = (description: string, example: string) => ({
  description,
  schema: { type: 'string', examples: [example] },
})

const headers = {
  'Request-Id': header('The id of the request, for support.', 'req_01ktrr9d3hen4v9q9t9m2g8x5c'),
  ETag: header(
    'Send it back as If-None-Match: an unchanged answer is 304.',
    `W/"e3f9c0de1a2b.p4711.r1"`,
  ),
  Link: header('On a page: the URL of the next one.', '</v1/personnel?cursor=AQM>; rel="next"'),
  Location: header('The path of what was made.', '/v1/personnel/usr_01ktrr9d3hen4v9q9t9m2g8x5c'),
  'Idempotent-Replayed': header('`true` when this is the answer to an earlier request.', 'true'),
  Deprecation: header(
    'On answers to a key that was rotated: since when another is to be used (RFC 9745).',
    '@1709280000',
  ),
  Sunset: header(
    'On answers to a key that was rotated: when it ends (RFC 8594).',
    'Fri, 01 Mar 2024 09:00:00 GMT',
  ),
  'Retry-After': header('How many seconds to wait before trying again.', '1'),
  'RateLimit-Policy': header(
    'How many requests are allowed in how many seconds, for each limit that applies.',
    `"key";q=${limits.perMinute.key};w=60, "workspace";q=${limits.perMinute.workspace};w=60`,
  ),
  RateLimit: header(
    'How many requests are left of each, and in how many seconds all of them are again.',
    '"key";r=5999;t=60, "workspace";r=29999;t=60',
  ),
  'WWW-Authenticate': header('How to authenticate (RFC 6750).', 'Bearer realm="muster"'),
}

/** On every answer to a request with a valid key. */
const standing = ['RateLimit-Policy', 'RateLimit'] as const
const succession = ['Deprecation', 'Sunset'] as const

const pick = (...names: (keyof typeof headers)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))

export { ProblemDetails } from './problem-details.ts'
export { exampleOf, responseShapes } from './shapes.ts'

/** The OpenAPI document, from the contract alone: no server is needed to write it. */
export function openapi(): Json {
  const paths: Record<string, Json> = {}
  for (const { name, operation } of everyOperation()) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(name, operation)
  }
  const schemas: Json = {}
  const named = JSON.parse(JSON.stringify({ paths, problem: ProblemDetails })) as Json
  const referred = refer(named, schemas) as { paths: Json }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version: `1.${revision}`,
      summary: 'The personnel roster, the risk register and the open issues of every project.',
      description: preface(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The instance that serves this document.' }],
    tags: Object.entries(nouns).map(([name, description]) => ({ name, description })),
    paths: referred.paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
      },
      headers,
      examples: problemExamples(),
      schemas,
    },
  }
}

function problemExamples(): Json {
  const used = new Set(everyOperation().flatMap(({ operation }) => problemsOf(operation)))
  return Object.fromEntries(
    [...used].map((name) => [name, { summary: problems[name].title, value: problemExample(name) }]),
  )
}

const preface = () =>
  [
    'Lists are **complete by default** and paged on request (`limit`, `cursor`). Filters only',
    'narrow. Errors are RFC 9457 problems whose `type` is a page that says what to do.',
    `Every change in a workspace has a number; it is a resource's \`version\`, a list's \`as_of\``,
    'and the heart of every ETag.',
    '',
    `Limits: pages of ${limits.page.max}, bodies of ${limits.bodyBytesMax} bytes, URLs of`,
    `${limits.urlBytesMax} bytes, ${limits.completeStreamsPerKey} complete lists at once per key;`,
    `${limits.perMinute.key} requests a minute per key, ${limits.perMinute.workspace} per workspace;`,
    'per workspace',
    `${Object.entries(limits.quota)
      .map(([what, most]) => `${most} ${what.replace('_', ' ')}`)
      .join(', ')}.`,
    'Every answer says in `RateLimit` how many requests are left. The 304 of a list or a summary costs',
    'none; that of a single resource costs one.',
    'Expect new optional fields, parameters and enumeration values; nothing is ever removed.',
  ].join('\n')

function describeOperation(name: string, operation: Operation): Json {
  const [noun] = name.split('.')
  return {
    operationId: name.replace('.', '_'),
    tags: [noun],
    summary: operation.summary,
    description: operation.description,
    security: operation.scope === 'none' ? [] : [{ key: scopesOf(operation) }],
    parameters: [
      ...parameters('path', operation.params),
      ...parameters('query', operation.query),
      ...requestHeaders(operation),
    ],
    ...(operation.body && {
      requestBody: {
        description: describe(operation.body),
        required: (operation.body.required?.length ?? 0) > 0,
        content: bodyFormats(operation.body, operation),
      },
    }),
    responses: { ...success(operation), ...refusals(operation) },
  }
}

function bodyFormats(body: TObject, operation: Operation): Json {
  const { rows } = operation
  return {
    'application/json': content(body),
    ...(isMergePatch(operation) && { 'application/merge-patch+json': content(body) }),
    ...(rows && {
      'text/csv': {
        schema: {
          type: 'string',
          description:
            "With the header that the export writes. Commas, semicolons or tabs. One `'` is " +
            'removed from each part of a cell where the export adds one.',
        },
        example: csvExample(rows),
      },
    }),
  }
}

function csvExample(rows: TObject): string {
  const example = exampleOf(rows) as Json
  const cells = Object.values(example).map((value) => [value].flat().join(' '))
  return `${Object.keys(example).join(',')}\n${cells.join(',')}\n`
}

const scopesOf = ({ scope }: Operation) => (scope === 'any_key' || scope === 'none' ? [] : [scope])

function parameters(place: 'path' | 'query', schema: TObject | undefined): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => {
    const { description, examples, ...rest } = field as Documented
    return {
      name,
      in: place,
      description,
      required: schema?.required?.includes(name) ?? false,
      ...('items' in rest && { style: 'form', explode: false }),
      schema: rest,
      examples: illustration(examples?.[0], { isOff: place === 'query' }),
    }
  })
}

/** `x-disabled` tells the reference not to fill in what may be left out: a first try must succeed. */
const illustration = (value: unknown, { isOff }: { isOff: boolean }) => ({
  example: { value, ...(isOff && { 'x-disabled': true }) },
})

function requestHeaders(operation: Operation): Json[] {
  const conditional = {
    name: 'If-None-Match',
    in: 'header',
    description: 'The ETag of the copy you have: the answer is 304 when nothing changed.',
    schema: { type: 'string', maxLength: 1000 },
    examples: illustration('W/"e3f9c0de1a2b.p4711.r1"', { isOff: true }),
  }
  const idempotent = {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A value of your choice that makes the request safe to repeat: the change is made once, and ' +
      `every repetition within ${limits.idempotencyKeptHours} hours gets the same answer.`,
    schema: { type: 'string', minLength: 1, maxLength: limits.idempotencyKeyLengthMax },
    examples: illustration('onboarding-mara', { isOff: true }),
  }
  const guarded = {
    name: 'If-Match',
    in: 'header',
    description:
      'The ETag or the version of what you read: if it has changed since, nothing is done.',
    schema: { type: 'string', maxLength: 1000 },
    examples: illustration('"4711"', { isOff: true }),
  }
  if (takesIfMatch(operation)) return [idempotent, guarded]
  if (operation.method !== 'GET') return [idempotent]
  return operation.cache === 'none' ? [] : [conditional]
}

function success(operation: Operation): Json {
  const answer = {
    description: operation.summary,
    headers: pick(
      'Request-Id',
      ...standing,
      ...succession,
      ...(operation.cache === 'none' ? [] : (['ETag'] as const)),
      ...(isList(operation) ? (['Link'] as const) : []),
      ...(operation.status === 201 ? (['Location', 'Idempotent-Replayed'] as const) : []),
    ),
    content: {
      'application/json': content(operation.response),
      ...(isList(operation) && otherFormats(operation.item)),
    },
  }
  const unchanged = {
    description: 'Nothing has changed since the copy that If-None-Match names.',
    headers: pick('Request-Id', ...standing, 'ETag'),
  }
  const isConditional = operation.method === 'GET' && operation.cache !== 'none'
  return { [operation.status]: answer, ...(isConditional && { 304: unchanged }) }
}

function otherFormats(item: TObject): Json {
  const example = exampleOf(item) as Json
  const columns = Object.keys(example).slice(0, 3)
  const end = JSON.stringify({ _end: { count: 1, as_of: 4711 } })
  return {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'One item a line; the last line is `{"_end":{"count":…,"as_of":…}}`.',
      },
      example: `${JSON.stringify(example)}\n${end}\n`,
    },
    'text/csv': {
      schema: {
        type: 'string',
        description:
          "RFC 4180 with a header. A `'` is put before each part of a cell that starts like a " +
          'formula (`=`, `+`, `-`, `@`, tab, or a full-width form). A part starts with the cell and ' +
          "after `;`, tab and line breaks. An import removes that `'` again.",
      },
      example: `${columns.join(',')},…\n${columns.map((name) => String(example[name])).join(',')},…\n`,
    },
  }
}

function refusals(operation: Operation): Json {
  const byStatus: Record<number, ProblemName[]> = {}
  for (const name of problemsOf(operation)) (byStatus[problems[name].status] ??= []).push(name)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [status, refusal(Number(status), names)]),
  )
}

function refusal(status: number, names: ProblemName[]): Json {
  return {
    description: names.map((name) => `\`${name}\`: ${problems[name].title}`).join(' '),
    headers: pick(
      'Request-Id',
      ...(status === 429 ? standing : []),
      ...(status === 401 || status === 403 ? (['WWW-Authenticate'] as const) : []),
      ...(names.some((name) => 'retryAfter' in problems[name]) ? (['Retry-After'] as const) : []),
    ),
    content: {
      'application/problem+json': {
        schema: ProblemDetails,
        examples: Object.fromEntries(
          names.map((name) => [name, { $ref: `#/components/examples/${name}` }]),
        ),
      },
    },
  }
}

const content = (schema: TSchema) => ({ schema, example: exampleOf(schema) })

const describe = (schema: TSchema) => (schema as Documented).description

/** `noun.verb` to method and path: all that a client needs to know at run time. */
export function routes(): Json {
  const byNoun: Record<string, Json> = {}
  for (const { name, operation } of everyOperation()) {
    const [noun, verb] = name.split('.') as [string, string]
    ;(byNoun[noun] ??= {})[verb] = [operation.method, operation.path]
  }
  return byNoun
}
