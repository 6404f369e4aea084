import assert from 'node:assert/strict'

import type { Document } from './breaking-changes.ts'

type Json = Record<string, unknown>
type Change = (document: Document) => void

/** Replaces one place of the document, or removes it without a value. */
function put(path: string[], value?: unknown): Change {
  return (document) => {
    const name = path.at(-1) ?? ''
    // Each place of a JSON document is reached through objects and arrays.
    const parent = path.slice(0, -1).reduce<unknown>((from, key) => (from as Json)[key], document)
    assert.ok(typeof parent === 'object' && parent !== null, path.join(' '))
    if (value !== undefined) Object.assign(parent, { [name]: value })
    else if (Array.isArray(parent)) parent.splice(Number(name), 1)
    else Reflect.deleteProperty(parent, name)
  }
}

/** A place in a shared schema: `schema('Person', 'title')` is its field `title`. */
function schema(name: string, ...fields: string[]): string[] {
  const path = fields.flatMap((field) => (field === 'items' ? [field] : ['properties', field]))
  return ['components', 'schemas', name, ...path]
}

const people = ['paths', '/v1/personnel', 'get']
const create = ['paths', '/v1/personnel', 'post']
const view = ['paths', '/v1/personnel/{user_id}', 'get']
const sort = [...people, 'parameters', '7', 'schema', 'enum']
const text = { type: 'string' }
const ratings = { type: 'integer', minimum: 1, maximum: 5 }

/** Changes that break clients, by the sentence that reports them. */
export const breakages: Record<string, Change> = {
  'GET /v1/personnel is removed': put(people),
  'GET /v1/personnel: the operationId is another': put([...people, 'operationId'], 'people_list'),
  'GET /v1/personnel requires [{"key":["workspace.read"]}] instead of [{"key":["personnel.read"]}]':
    put([...people, 'security'], [{ key: ['workspace.read'] }]),
  'GET /v1/personnel, query user_id is removed': put([...people, 'parameters', '0']),
  'GET /v1/personnel, query user_id is required': put(
    [...people, 'parameters', '0', 'required'],
    true,
  ),
  'GET /v1/personnel, query area is required': put([...people, 'parameters', '99'], {
    name: 'area',
    in: 'query',
    required: true,
    schema: text,
  }),
  'GET /v1/personnel, query user_id: several values are written in another way': put(
    [...people, 'parameters', '0', 'explode'],
    true,
  ),
  'GET /v1/personnel, query sort: the value "created_at" is removed': put([...sort, '0']),
  'GET /v1/personnel, query title: maxLength is 20 instead of 200': put(
    [...people, 'parameters', '4', 'schema', 'maxLength'],
    20,
  ),
  'GET /v1/personnel, response 304 is removed': put([...people, 'responses', '304']),
  'GET /v1/personnel, response 200 text/csv is removed': put([
    ...people,
    'responses',
    '200',
    'content',
    'text/csv',
  ]),
  'GET /v1/personnel, response 200: the header ETag is removed': put([
    ...people,
    'responses',
    '200',
    'headers',
    'ETag',
  ]),
  'GET /v1/personnel/{user_id}, response 404 application/problem+json: the problem not_found is removed':
    put([...view, 'responses', '404'], {
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    }),
  'POST /v1/personnel/{user_id}/depart: a body is required': put(
    ['paths', '/v1/personnel/{user_id}/depart', 'post', 'requestBody', 'required'],
    true,
  ),
  'POST /v1/personnel/batch, body text/csv is removed': put([
    'paths',
    '/v1/personnel/batch',
    'post',
    'requestBody',
    'content',
    'text/csv',
  ]),
  'request NewPerson/phone is removed': put(schema('NewPerson', 'phone')),
  'request NewPerson/email is required': put([...schema('NewPerson'), 'required', '1'], 'email'),
  'request NewPerson/phone: the type is string instead of string or null': put(
    [...schema('NewPerson', 'phone'), 'type'],
    'string',
  ),
  'request NewPerson/phone: pattern is ^[0-9]+$ instead of \\S': put(
    [...schema('NewPerson', 'phone'), 'pattern'],
    '^[0-9]+$',
  ),
  'request NewPerson/name: format is email instead of none': put(
    [...schema('NewPerson', 'name'), 'format'],
    'email',
  ),
  'request NewPerson/name: minLength is 2 instead of 1': put(
    [...schema('NewPerson', 'name'), 'minLength'],
    2,
  ),
  'request NewPerson/metadata/additionalProperties: fields that are not listed are refused': put(
    [...schema('NewPerson', 'metadata'), 'additionalProperties'],
    false,
  ),
  'request NewPerson/metadata/propertyNames: pattern is ^x instead of ^[A-Za-z0-9_.-]{1,40}$': put(
    [...schema('NewPerson', 'metadata'), 'propertyNames', 'pattern'],
    '^x',
  ),
  'request NewRisk/impact: maximum is 4 instead of 5': put(
    [...schema('NewRisk', 'impact'), 'maximum'],
    4,
  ),
  'request NewRisk/category: the value "other" is removed': put([
    ...schema('NewRisk', 'category'),
    'enum',
    '8',
  ]),
  'request NewRisk/description: only listed values are accepted': put(
    [...schema('NewRisk', 'description'), 'enum'],
    ['a', 'b'],
  ),
  'request NewRisk/tags: maxItems is 5 instead of 50': put(
    [...schema('NewRisk', 'tags'), 'maxItems'],
    5,
  ),
  'request NewRisk/tags/items: maxLength is 5 instead of 50': put(
    [...schema('NewRisk', 'tags', 'items'), 'maxLength'],
    5,
  ),
  'request NewRisk/links: uniqueItems is true instead of none': put(
    [...schema('NewRisk', 'links'), 'uniqueItems'],
    true,
  ),
  'request NewRisk/inherent/score is removed': put(schema('NewRisk', 'inherent', 'score')),
  'request ReassignWork: no alternative matches {"required":["items"]}': put([
    ...schema('ReassignWork'),
    'anyOf',
    '1',
  ]),
  'response Person/title is removed': put(schema('Person', 'title')),
  'response Person/id can be missing': put([...schema('Person'), 'required'], ['name']),
  'response Person/name: the type is string or null instead of string': put(
    [...schema('Person', 'name'), 'type'],
    ['string', 'null'],
  ),
  'response Person/id: pattern is none instead of ^usr_[0-7][0-9a-hjkmnp-tv-z]{25}$': put([
    ...schema('Person', 'id'),
    'pattern',
  ]),
  'response Person/status: the value "departed" is removed': put([
    ...schema('Person', 'status'),
    'x-extensible-enum',
    '2',
  ]),
  'response RiskSummary/basis: the value "best" can be returned': put(
    [...schema('RiskSummary', 'basis'), 'enum', '3'],
    'best',
  ),
  'response RiskSummary/basis: values that are not listed can be returned': put([
    ...schema('RiskSummary', 'basis'),
    'enum',
  ]),
  'response RegisterEntry/impact: maximum is 10 instead of 5': put(
    [...schema('RegisterEntry', 'impact'), 'maximum'],
    10,
  ),
}

/** Changes that clients survive. */
export const widenings: Record<string, Change> = {
  'a new operation': put(['paths', '/v1/areas'], { get: {} }),
  'a new optional parameter': put([...people, 'parameters', '99'], {
    name: 'area',
    in: 'query',
    schema: text,
  }),
  'a new value of a parameter': put([...sort, '99'], 'phone'),
  'no scope': put([...people, 'security'], []),
  'an optional body': put([...create, 'requestBody', 'required'], false),
  'another media type': put([...create, 'requestBody', 'content', 'text/csv'], { schema: text }),
  'a new status': put([...people, 'responses', '418'], {}),
  'another description': put([...schema('Person'), 'description'], 'Someone.'),
  'a new optional field of a request': put(schema('NewPerson', 'area'), text),
  'an optional field of a request': put([...schema('NewPerson'), 'required'], []),
  'a nullable field of a request': put(
    [...schema('NewPerson', 'name'), 'type'],
    ['string', 'null'],
  ),
  'a longer text of a request': put([...schema('NewPerson', 'name'), 'maxLength'], 500),
  'any text of a request': put([...schema('NewPerson', 'name'), 'pattern']),
  'a number instead of an integer in a request': put(schema('NewRisk', 'impact'), {
    ...ratings,
    type: 'number',
  }),
  'another value of a request': put([...schema('NewRisk', 'category'), 'enum', '9'], 'weather'),
  'another alternative of a request': put([...schema('ReassignWork'), 'anyOf', '2'], {}),
  'a new field of a response': put(schema('Person', 'area'), text),
  'a longer text of a response': put([...schema('Person', 'name'), 'maxLength'], 500),
  'a field of a response that is never null': put([...schema('Person', 'email'), 'type'], 'string'),
  'another value of an extensible list': put(
    [...schema('Person', 'status'), 'x-extensible-enum', '3'],
    'on_leave',
  ),
}
