import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

import { circlesOf, describeCircle, importsOf } from './folder-imports.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'muster-layers-'))
after(() => rmSync(folder, { recursive: true }))

const client = "import { request } from 'node:https'"
const fetching = "await fetch('https://example.com')"

/** Code that each layer must not contain, and code that it may. */
const samples: Readonly<Record<string, { refused: string[]; allowed: string[] }>> = {
  'packages/contract/src': {
    refused: ["import { x } from 'kysely'", "import { x } from '@muster/api/config'"],
    allowed: ["import { Type } from 'typebox'"],
  },
  'packages/client/src': {
    refused: ["import { x } from 'node:fs'", "import { x } from '@muster/api/config'"],
    allowed: ["import type { Person } from '@muster/contract'"],
  },
  'packages/api/src/http': {
    refused: [
      "import { x } from '#storage/nouns/keys'",
      "import { x } from '#egress/egress'",
      "import { request } from 'node:http'",
      client,
      fetching,
    ],
    allowed: ["import { x } from '#domain/auth/keys'", "import { createServer } from 'node:http'"],
  },
  'packages/api/src/jobs': {
    refused: [
      "import { x } from '#storage/nouns/keys'",
      "import { x } from 'pg'",
      client,
      fetching,
    ],
    allowed: ["import { x } from '#domain/auth/keys'", "import { PgBoss } from 'pg-boss'"],
  },
  'packages/api/src/domain/auth': {
    refused: [
      "import { x } from '#http/server'",
      "import { sql } from 'kysely'",
      "import { PgBoss } from 'pg-boss'",
      "import { discovery } from 'openid-client'",
      "import { connect } from 'node:net'",
      client,
      fetching,
    ],
    allowed: ["import { x } from '#storage/nouns/keys'", "import { x } from '#egress/egress'"],
  },
  'packages/api/src/domain/oidc': {
    refused: ["import { x } from '#http/server'", "import { sql } from 'kysely'", client, fetching],
    allowed: ["import { discovery } from 'openid-client'"],
  },
  'packages/api/src/storage': {
    refused: [
      "import { x } from '#domain/auth/keys'",
      "import { x } from '#http/server'",
      "import { connect } from 'node:net'",
      "import { request } from 'undici'",
      client,
      fetching,
    ],
    allowed: [
      "import { sql } from 'kysely'",
      "import { Client } from 'pg'",
      "import { getConstructionPlans } from 'pg-boss'",
    ],
  },
  'packages/api/src/egress': {
    refused: ["import { x } from '#domain/auth/keys'", "import { x } from '#storage/nouns/keys'"],
    allowed: [client],
  },
  'packages/api/src': {
    refused: [client, fetching],
    allowed: ["import { x } from '#http/server'"],
  },
}

function writeSamples(): { refused: string[]; allowed: string[] } {
  const write = (path: string, code: string) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), `${code}\n`)
    return path
  }
  const kinds = Object.entries(samples)
  const all = (kind: 'refused' | 'allowed') =>
    kinds.flatMap(([layer, codes]) =>
      codes[kind].map((code, index) => write(`${layer}/${kind}-${index}.ts`, code)),
    )
  return { refused: all('refused'), allowed: all('allowed') }
}

test('oxlint refuses the imports that a layer must not have, and no others', () => {
  const config = JSON.parse(readFileSync(`${root}.oxlintrc.json`, 'utf8')) as object
  // The samples import files that do not exist, so they have no types.
  const untyped = { ...config, options: { typeAware: false } }
  writeFileSync(join(folder, '.oxlintrc.json'), JSON.stringify(untyped))
  const { refused, allowed } = writeSamples()
  const oxlint = join(root, 'node_modules/.bin/oxlint')
  const { stdout } = spawnSync(oxlint, ['-c', '.oxlintrc.json', '-f', 'unix'], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 60_000,
  })
  const isReported = (path: string) =>
    stdout.split('\n').some((line) => line.includes(path) && line.includes('no-restricted'))
  assert.deepEqual(
    refused.filter((path) => !isReported(path)),
    [],
    stdout,
  )
  assert.deepEqual(allowed.filter(isReported), [])
})

/** Packages whose folders import each other in one direction, with some of their folders. */
const packages = {
  api: ['.', 'http/nouns', 'domain/people', 'storage/connection'],
  console: ['.', 'frame', 'data', 'kit/list', 'nouns/risks', 'pages/sign-in'],
}

for (const [name, known] of Object.entries(packages)) {
  test(`imports between the folders of packages/${name} run one way`, (t) => {
    const imports = importsOf(join(root, 'packages', name))
    const folders = new Set(imports.flatMap(({ from, to }) => [dirname(from), dirname(to)]))
    const circles = circlesOf(imports)
    t.diagnostic(`${folders.size} folders, ${imports.length} imports, ${circles.length} circles`)
    assert.deepEqual(circles.map(describeCircle), [])
    for (const each of known) assert.ok(folders.has(each), `${each} is among the folders`)
  })
}

/** The lists of folders in ARCHITECTURE.md, from the top down. */
const orders = Object.fromEntries(
  Array.from(
    readFileSync(`${root}ARCHITECTURE.md`, 'utf8').matchAll(
      /^- (http|domain|storage): (.+(?:\n .+)*)/gm,
    ),
    ([, layer = '', list = '']) => [
      layer,
      Array.from(list.matchAll(/`([\w/]+)`/g), ([, name]) => `${layer}/${name}`),
    ],
  ),
)

test('a folder imports only folders after it in the lists of ARCHITECTURE.md', () => {
  const imports = importsOf(join(root, 'packages/api'))
  for (const layer of ['http', 'domain', 'storage']) {
    const order = orders[layer] ?? []
    const own = imports.filter(({ from }) => from.startsWith(`${layer}/`))
    const folders = new Set(own.map(({ from }) => dirname(from)).filter((name) => name !== layer))
    assert.deepEqual(order.toSorted(), [...folders].toSorted())
    const upwards = own.filter(
      ({ from, to }) => order.includes(dirname(to)) && isAfter(order, dirname(from), dirname(to)),
    )
    assert.deepEqual(upwards, [])
  }
  assert.ok(isAfter(['a', 'b'], 'b', 'a') && !isAfter(['a', 'b'], 'a', 'b'))
})

const isAfter = (order: readonly string[], one: string, other: string) =>
  order.indexOf(one) > order.indexOf(other)

test('a circle of folders is reported with its files', () => {
  const imports = [
    { from: 'http/nouns/risks.ts', to: 'domain/risks.ts' },
    { from: 'domain/risks.ts', to: 'storage/risks.ts' },
    { from: 'domain/risks.ts', to: 'domain/caller.ts' },
    { from: 'storage/counts.ts', to: 'storage/lists/pages.ts' },
    { from: 'storage/lists/pages.ts', to: 'domain/caller.ts' },
    { from: 'storage/lists/pages.ts', to: 'config.ts' },
  ]
  assert.deepEqual(circlesOf(imports).map(describeCircle), [
    [
      'domain, storage, storage/lists',
      '  domain/risks.ts imports storage/risks.ts',
      '  storage/counts.ts imports storage/lists/pages.ts',
      '  storage/lists/pages.ts imports domain/caller.ts',
    ].join('\n'),
  ])
  assert.deepEqual(circlesOf(imports.slice(0, 4)), [])
})
