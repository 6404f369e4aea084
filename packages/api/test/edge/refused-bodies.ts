import { limits, type Operation } from '@muster/contract'

interface Shape {
  readonly items?: object
  readonly format?: string
  readonly pattern?: string
}

/** Room for the rest of the body around the repeated part. */
const bytes = limits.batchBytesMax - 200

const repeated = (part: string, room = bytes) => part.repeat(Math.floor((room - 100) / part.length))
const members = (length: number) => Array.from({ length }, (_, index) => `"k${index}":1`).join()
const data = (rows: string) => `{"data":[${rows}]}`

/** JSON of 4 MiB that no batch accepts, each expensive to parse, validate or describe. */
function jsonBatches(field: string, list: string): Record<string, string> {
  const inList = (part: string, last: string) => data(`{"${list}":[${repeated(part)}${last}]}`)
  return {
    'numbers as rows': data(`${repeated('1,')}1`),
    'empty rows': data(`${repeated('{},')}{}`),
    'nested arrays as rows': data(`${repeated(`${'['.repeat(28)}${']'.repeat(28)},`)}1`),
    'one row of 300 000 unknown members': data(`{${members(300_000)}}`),
    '1000 rows of 300 unknown members': data(
      Array(1000)
        .fill(`{${members(300)}}`)
        .join(),
    ),
    '1000 rows of 190 unknown members': data(
      Array(1000)
        .fill(`{${members(190)}}`)
        .join(),
    ),
    'a member name of 4 MiB': data(`{"${'n'.repeat(bytes - 50)}":1}`),
    'a string of escapes': data(`{"${field}":"${repeated('\\u0041')}"}`),
    'white space': data(' '.repeat(bytes - 20)),
    'a number of 4 million digits': data('1'.repeat(bytes - 20)),
    'numbers in a list': inList('1,', '1'),
    'words in a list': inList('",",', '","'),
    'empty objects in a list': inList('{},', '{}'),
    'numbers in another member': `{"data":[{}],"other":[${repeated('1,')}1]}`,
    'numbers without an end': `{"data":[${repeated('1,')}`,
    'a repeated member': `{${repeated('"data":[],')}"data":[]}`,
  }
}

/** A text of 4 MiB in a field of each format and pattern. */
function* longTexts(fields: readonly [string, Shape][]): Generator<[what: string, body: string]> {
  const seen = new Set<string>()
  for (const [name, { format = '', pattern = '' }] of fields) {
    const kind = `${format} ${pattern}`
    if (kind === ' ' || seen.has(kind)) continue
    seen.add(kind)
    for (const part of [' ', 'a.', 'a@']) {
      yield [`a long text of “${part}” as ${name}`, data(`{"${name}":"${repeated(part)}"}`)]
    }
  }
}

/** CSV of 4 MiB that no batch accepts. */
function csvBatches(field: string, list: string): Record<string, string> {
  const row = (cell: string) => `${field}\n"${cell}"`
  return {
    'a column name of 4 MiB': 'n'.repeat(bytes),
    'a quoted column name of 4 MiB': `"${repeated('n\n')}"`,
    '800 000 columns': `${field}${repeated(`,${field}`)}\n`,
    'empty columns': repeated(','),
    'a cell of 4 MiB': row('x'.repeat(bytes - 30)),
    'a cell of quotes': row(repeated('""')),
    'a cell of formulas': row(repeated(";'=")),
    'a cell of apostrophes': `${field}\n${repeated("'")}`,
    'a cell without an end': `${field}\n"${repeated('x')}`,
    'a quote after a cell of 4 MiB': `${field}\n${repeated('x')}"`,
    'empty lines': `${field}\n${repeated('\n')}`,
    'empty lines before the header': `${repeated('\n')}${field}\n`,
    '2 million rows': `${field}\n${repeated('a\n')}`,
    'a row of empty cells': `${field}\n${repeated(',')}`,
    'a row of cells': `${field}\n${repeated('a,')}`,
    'words in a list': `${field},${list}\na,"${repeated(', ')}"`,
    'spaces in a list': `${field},${list}\na,"${repeated(' ')}"`,
    'members of metadata': `${field},metadata\na,"{${repeated('""a"":1,')}""b"":1}"`,
    'numbers in metadata': `${field},metadata\na,"[${repeated('1,')}1]"`,
  }
}

interface RefusedBody {
  readonly what: string
  readonly type: 'application/json' | 'text/csv'
  readonly body: string
}

/** The bodies of 4 MiB for a batch operation that the service must refuse. */
export function* refusedBatches({ rows }: Operation): Generator<RefusedBody> {
  // The cast holds because the fields of a row are JSON Schemas.
  const fields = Object.entries(rows?.properties ?? {}) as [string, Shape][]
  const list = fields.find(([, { items }]) => items)?.[0] ?? ''
  const field = fields.find(([name]) => name === 'name' || name === 'title')?.[0] ?? ''
  for (const [what, body] of Object.entries(jsonBatches(field, list))) {
    yield { what: `JSON, ${what}`, type: 'application/json', body }
  }
  for (const [what, body] of longTexts(fields)) {
    yield { what: `JSON, ${what}`, type: 'application/json', body }
  }
  for (const [what, body] of Object.entries(csvBatches(field, list))) {
    yield { what: `CSV, ${what}`, type: 'text/csv', body }
  }
}

/** Bodies of 1 MiB for an operation that lists ids, each in every list of the body. */
export function* refusedLists({ body }: Operation): Generator<RefusedBody> {
  // The cast holds because the fields of a body are JSON Schemas.
  const fields = Object.entries(body?.properties ?? {}) as [string, Shape][]
  const room = limits.idListBytesMax - 200
  for (const [list] of fields.filter(([, { items }]) => items)) {
    for (const part of ['{}', '{"role":"x"}', '"usr_x"', '1', '[]', `{${members(900)}}`]) {
      const json = `{"${list}":[${repeated(`${part},`, room - part.length)}${part}]}`
      yield { what: `${list} of ${part.slice(0, 20)}`, type: 'application/json', body: json }
    }
  }
}
