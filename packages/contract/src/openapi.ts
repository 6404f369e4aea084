import type { TObject, TSchema } from 'typebox'

import { problemsOf } from '#contract/problems/operation-problems'
import { ProblemDetails, problemExample } from '#contract/problems/problem-details'
import { problems, type ProblemName } from '#contract/problems/problems'

import { columnsOf, exportColumnsOf, valueAt } from './csv-columns.ts'
import { exampleOf, responseExample } from './examples.ts'
import { everyOperation, tagDescriptions } from './index.ts'
import { extractComponents } from './json-schema.ts'
import { limits } from './limits.ts'
import { positionExample } from './nouns/events.ts'
import { type Described, shareComponents, withPortablePatterns } from './openapi-components.ts'
import { hasRequiredField, isList, type ListOperation, type Operation } from './operation.ts'
import { pointsIn } from './points.ts'
import { parameterExample, requestHeaders } from './request-headers.ts'
import {
  headerRefs,
  rateLimitHeaders,
  responseHeaders,
  rotationHeaders,
} from './response-headers.ts'
import { isScope } from './scopes.ts'
import { version } from './version.ts'

type Json = Record<string, unknown>

/** The documentation that the field builders add to every schema. */
type Documented = TSchema & { description?: string; examples?: unknown[] }

export { ProblemDetails } from '#contract/problems/problem-details'
export { exampleOf, responseExample } from './examples.ts'
export { responseShapes } from './json-schema.ts'

interface Referred {
  readonly paths: Json
  readonly shared: { readonly parameters: Json; readonly responses: Json }
}

/** The OpenAPI document, derived from the contract alone, without a running service. */
export function openapi(): Json {
  const paths: Record<string, Record<string, Described>> = {}
  for (const { name, operation } of everyOperation()) {
    const path = (paths[operation.path] ??= {})
    path[operation.method.toLowerCase()] = describeOperation(name, operation)
  }
  const schemas: Json = {}
  const shared = shareComponents(paths)
  const named = JSON.parse(JSON.stringify({ paths, shared, problem: ProblemDetails })) as Json
  const referred = extractComponents(withPortablePatterns(named), schemas) as Referred
  return {
    openapi: '3.1.0',
    info: {
      title: 'Muster',
      version,
      summary: 'The personnel roster, the risk register and the open issues of every project.',
      description: apiDescription(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/', description: 'The instance that serves this document.' }],
    tags: Object.entries(tagDescriptions).map(([name, description]) => ({ name, description })),
    paths: referred.paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'An API key: `Authorization: Bearer <API_KEY>`.',
        },
      },
      headers: responseHeaders,
      ...referred.shared,
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

const apiDescription = () =>
  [
    'Lists are **complete by default** and paged on request (`limit`, `cursor`). Errors are',
    'RFC 9457 problem details. Their `type` is the path of a page that explains the fix.',
    'Each change in a workspace has a sequence number. It is the `version` of a resource, the',
    '`as_of` of a list and part of every ETag.',
    '',
    `Limits: pages of ${limits.page.max} items, bodies of ${limits.bodyBytesMax} bytes, URLs of`,
    `${limits.urlBytesMax} bytes, ${limits.completeStreamsPerKey} concurrent complete lists a key,`,
    `${limits.largeBodiesPerKey} concurrent bodies above ${limits.bodyBytesMax} bytes a key;`,
    `${limits.perMinute.key} requests a minute per key, ${limits.perMinute.workspace} per workspace;`,
    'per workspace',
    `${Object.entries(limits.quota)
      .map(([what, most]) => `${most} ${what.replace('_', ' ')}`)
      .join(', ')}.`,
    'The `RateLimit` header of each response has the remaining requests. A 304 of a list or a',
    'summary does not count; a 304 of a single resource counts as one request.',
    'A valid `traceparent` header (W3C Trace Context) is accepted. Each response has one with the',
    'same trace id.',
    'New releases may add optional fields, parameters and enum values. They never remove any.',
  ].join('\n')

function describeOperation(name: string, operation: Operation): Described {
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
        required: hasRequiredField(operation.body),
        content: bodyFormats(operation.body, operation),
      },
    }),
    responses: { ...successResponses(operation), ...problemResponses(operation) },
  }
}

function bodyFormats(body: TObject, operation: Operation): Json {
  const { rows } = operation
  return {
    'application/json': content(body),
    ...(operation.isMergePatch === true && { 'application/merge-patch+json': content(body) }),
    ...(rows && {
      'text/csv': {
        schema: {
          type: 'string',
          description:
            'CSV with the header row of the export, separated by commas, semicolons or tabs. The ' +
            "import removes each `'` that the export adds before a formula.",
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

const scopesOf = ({ scope }: Operation) => (isScope(scope) ? [scope] : [])

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
      examples: parameterExample(examples?.[0], { isOff: place === 'query' }),
    }
  })
}

function successResponses(operation: Operation): Record<string, Json> {
  const answer = {
    description: operation.summary,
    headers: headerRefs(
      'Request-Id',
      ...rateLimitHeaders,
      ...rotationHeaders,
      ...(operation.cache === 'none' ? [] : (['ETag'] as const)),
      ...(isList(operation) ? (['Link'] as const) : []),
      ...(pointsIn(operation).length > 0 ? (['Content-Location'] as const) : []),
      ...(operation.isFollowed ? (['Preference-Applied', 'Retry-After'] as const) : []),
      ...(operation.status === 201 ? (['Location', 'Idempotent-Replayed'] as const) : []),
    ),
    content: {
      'application/json': { schema: operation.response, example: responseExample(operation) },
      ...(isList(operation) && otherFormats(operation)),
      ...(operation.csvRow && { 'text/csv': csvOf(operation.csvRow) }),
      ...(operation.isFollowed && { 'text/event-stream': eventStream }),
    },
  }
  const unchanged = {
    description: 'Nothing has changed since the ETag in If-None-Match.',
    headers: headerRefs('Request-Id', ...rateLimitHeaders, 'ETag'),
  }
  const isConditional = operation.method === 'GET' && operation.cache !== 'none'
  return { [operation.status]: answer, ...(isConditional && { 304: unchanged }) }
}

const eventStream = {
  schema: {
    type: 'string',
    description:
      'Server-sent events. `id` is the position, `event` the type and `data` one event as in ' +
      '`data` of the JSON response. A message with only `id` moves the position. `bye`: the ' +
      'process stops, connect again. `end`: the stream ended for the problem in its `data`.',
  },
  example: `id: ${positionExample}\nevent: risk.reviewed\ndata: {"type":"risk.reviewed"}\n\n`,
}

/** Entries in groups as a file. Its columns are the fields, with dots for those of objects. */
function csvOf(row: TObject): Json {
  const columns = columnsOf(row).slice(0, 2)
  const example = exampleOf(row) as Json
  const cells = columns.map((name) => cellOf(valueAt(example, name) ?? '')).join(',')
  return {
    schema: {
      type: 'string',
      description:
        'RFC 4180 with a header row, and a row for each entry. Refused if entries are missing.',
    },
    example: `${columns.join(',')},…\n${cells},…\n`,
  }
}

function otherFormats(operation: ListOperation): Json {
  const [example = {}] = responseExample(operation)['data'] as Json[]
  const columns = exportColumnsOf(operation.item, []).slice(0, 2)
  const header = columns.map(({ name }) => name).join(',')
  const cells = columns.map(({ field }) => cellOf(valueAt(example, field) ?? '')).join(',')
  const end = JSON.stringify({ _end: { count: 1, as_of: 4711 } })
  return {
    'application/x-ndjson': {
      schema: {
        type: 'string',
        description: 'One item per line. The last line is `{"_end":{"count":…,"as_of":…}}`.',
      },
      example: `${JSON.stringify(example)}\n${end}\n`,
    },
    'text/csv': {
      schema: {
        type: 'string',
        description:
          'RFC 4180 with a header row; the type has `; charset=utf-8; header=present`. Beside ids it has names, e-mail addresses, codes and ' +
          "references; those of people only with `personnel.read`. The export adds a `'` before " +
          'each part of a cell that starts like a formula (`=`, `+`, `-`, `@`, tab, or a ' +
          'full-width form). Parts start at the cell and after `;`, tab and line breaks. The ' +
          "import removes the `'`.",
      },
      example: `${header},…\n${cells},…\n`,
    },
  }
}

const cellOf = (value: unknown) =>
  [value]
    .flat()
    .map((each) => (typeof each === 'string' ? each : JSON.stringify(each)))
    .join(' ')

function problemResponses(operation: Operation): Record<string, Json> {
  const byStatus: Record<number, ProblemName[]> = {}
  for (const name of problemsOf(operation)) (byStatus[problems[name].status] ??= []).push(name)
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, names]) => [
      status,
      problemResponse(Number(status), names),
    ]),
  )
}

function problemResponse(status: number, names: ProblemName[]): Json {
  return {
    description: names.map((name) => `\`${name}\`: ${problems[name].title}`).join(' '),
    headers: headerRefs(
      'Request-Id',
      ...(status === 429 ? rateLimitHeaders : []),
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

/** Method and path of each `noun.verb`, for the client at run time. */
export function routes(): Json {
  const byNoun: Record<string, Json> = {}
  for (const { name, operation } of everyOperation()) {
    const [noun, verb] = name.split('.') as [string, string]
    ;(byNoun[noun] ??= {})[verb] = [operation.method, operation.path]
  }
  return byNoun
}
