import type { Edit } from './edit.ts'

/** What stores, serves and tests the sites, and the words for them. */
export const servingEdits: readonly Edit[] = [
  {
    file: 'packages/api/src/storage/nouns/sites.ts',
    inserts: [
      [
        '',
        `
import { type Site, siteFields } from '@muster/contract'

import type { List } from '#storage/lists/index-ranges'
import type { Read, RowWrite, Write } from '#storage/statements/access'
import { uuidOf } from '#storage/values/id'

import { storedFields } from './stored-fields.ts'

const stored = storedFields<'sites', Site, never>(siteFields, {
  fixed: ['created_at'],
  computed: ['version'],
  forms: {},
})
const { columns, present } = stored

export const sitesList: List<Site> = {
  query: {
    table: 'sites',
    columns,
    keys: [],
    order: [{ name: 'id', type: 'uuid' }],
    where: [],
  },
  present,
}

const siteById = (read: Read, id: string) =>
  read.db
    .selectFrom('sites')
    .select(columns)
    .where('workspace_id', '=', read.workspaceId)
    .where('id', '=', uuidOf(id))

export async function selectSite(read: Read, id: string): Promise<Site | null> {
  const row = await siteById(read, id).executeTakeFirst()
  return row ? present(row) : null
}

/** Locks the site until the write ends. */
export async function lockSite(write: Write, id: string): Promise<Site | null> {
  const row = await siteById(write, id).forNoKeyUpdate().executeTakeFirst()
  return row ? present(row) : null
}

/** Writes a site and its history. \`before\` is null for a new one. */
export function upsertSite(write: RowWrite, before: Site | null, after: Site): void {
  if (before === null) write.insert('sites', stored.newRow(after, {}))
  else write.update('sites', stored.changedRow(after, {}))
  write.count('sites', before === null ? 1 : 0)
  write.touch('sites')
  write.keep({ noun: 'site', before, after })
}`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/domain/projects/sites.ts',
    inserts: [
      [
        '',
        `
import {
  initialOf,
  type NewSite,
  patchNames,
  type Site,
  siteFields,
  type SitePatch,
} from '@muster/contract'

import type { Caller } from '#domain/engine/caller'
import { applyPatch, mergedMetadata, refuseStale, save } from '#domain/engine/change'
import { Failure } from '#domain/engine/failure'
import { type Listing, listingOf } from '#domain/engine/listing'
import { refuseOverQuota } from '#domain/engine/quota'
import { lockSite, selectSite, sitesList, upsertSite } from '#storage/nouns/sites'

export const listSites = (caller: Caller<'projects.read'>): Listing<Site> =>
  listingOf(caller, { counter: 'sites', list: sitesList, present: (sites) => sites })

export function viewSite(caller: Caller<'projects.read'>, id: string): Promise<Site> {
  return caller.database.read(caller, async (read) => requireSite(await selectSite(read, id), id))
}

function requireSite(site: Site | null, id: string): Site {
  if (site !== null) return site
  throw new Failure('not_found', \`There is no site \${id}.\`)
}

export function addSite(caller: Caller<'projects.manage'>, input: NewSite): Promise<Site> {
  return caller.database.write(caller, async (write) => {
    await refuseOverQuota(write, 'sites')
    const at = { version: 0, created_at: write.now, updated_at: write.now }
    const site = { ...initialOf(siteFields), ...input, id: write.newId('sit'), ...at }
    upsertSite(write, null, site)
    write.record({ type: 'site.created', subject: site.id, changed: Object.keys(input) })
    return site
  })
}

export function updateSite(
  caller: Caller<'projects.manage'>,
  id: string,
  { metadata, ...patch }: SitePatch,
): Promise<Site> {
  return caller.database.write(caller, async (write) => {
    const before = requireSite(await lockSite(write, id), id)
    refuseStale(caller, before)
    const fields = applyPatch(before, patch, { writable: patchNames(siteFields), advice: {} })
    const after = {
      ...before,
      ...fields,
      ...(metadata && { metadata: mergedMetadata(before.metadata, metadata) }),
    }
    return save(write, { before, after, type: 'site.updated' }, upsertSite)
  })
}`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/http/nouns/sites.ts',
    inserts: [
      [
        '',
        `
import { addSite, listSites, updateSite, viewSite } from '#domain/projects/sites'
import type { Handlers } from '#http/operations/handlers'

export const sites: Handlers['sites'] = {
  list: (caller) => listSites(caller),
  create: (caller, { body }) => addSite(caller, body),
  view: (caller, { params }) => viewSite(caller, params.site_id),
  update: (caller, { params, body }) => updateSite(caller, params.site_id, body),
}`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/http/server.ts',
    inserts: [
      [
        `import { sign_in } from '#http/nouns/sign-in'
`,
        `import { sites } from '#http/nouns/sites'
`,
      ],
      [
        'export const handlers: Handlers = {',
        `
  sites,`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/domain/workspace/export.ts',
    inserts: [
      [
        `import { rosterList } from '#storage/nouns/roster'
`,
        `import { sitesList } from '#storage/nouns/sites'
`,
      ],
      [
        '  tasks: true,',
        `
  sites: true,`,
      ],
      [
        `(items) => take('tasks', items),
  )
`,
        `  await pages(
    read,
    (each, page) => selectPage(each, sitesList, page),
    (items) => take('sites', items),
  )
`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/domain/workspace/import.ts',
    inserts: [
      ['import { limits, type Quota, ', 'type Site, '],
      [`type ItemPart = 'personnel' |`, ` 'sites' |`],
      [
        `import { type StoredRisk, upsertRisk } from '#storage/nouns/risks'
`,
        `import { upsertSite } from '#storage/nouns/sites'
`,
      ],
      [
        '  tasks: StoredTask',
        `
  sites: Site`,
      ],
      [
        `await items('tasks', (task) => upsertTask(rows, null, task))
`,
        `  await items('sites', (site) => upsertSite(rows, null, site))
`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/test/nouns/sites.test.ts',
    inserts: [
      [
        '',
        `
import assert from 'node:assert/strict'
import { test } from 'node:test'

import { newWorkspace, startHost } from '#test/support/workspace'

const host = await startHost()

test('lists the sites in order of creation', async () => {
  const manager = await (await newWorkspace(host)).manager()
  for (const name of ['Quarry', 'Harbour']) {
    assert.equal((await manager.post('/v1/sites', { name })).status, 201)
  }
  const { body } = await manager.get('/v1/sites')
  assert.deepEqual(
    body.data.map(({ name }: { name: string }) => name),
    ['Quarry', 'Harbour'],
  )
})`,
      ],
    ],
    foundBy: 'packages/api/test/contract/noun-tests.test.ts',
  },
  {
    file: 'packages/api/test/drift/nouns.ts',
    inserts: [
      [
        'export const driftNouns = {',
        `
  site: { table: 'sites', counter: ['sites', 'id is not null'], hasHistory: true },`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/text/en/registry.ts',
    inserts: [
      [
        `'activity.task.updated': 'changed this task',`,
        `
  'activity.site.created': 'added this site',
  'activity.site.updated': 'changed this site',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/text/en/registry.ts',
    inserts: [
      [
        `'keys.quota.open_tasks': 'Open tasks',`,
        `
  'keys.quota.sites': 'Sites',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'CHANGELOG.md',
    inserts: [
      [
        'same step.\n',
        `- Sites, with \`POST /v1/sites\`, \`GET /v1/sites\` and the quota \`sites\`.
`,
      ],
    ],
    foundBy: 'tools/rules/changelog.test.ts',
  },
]
