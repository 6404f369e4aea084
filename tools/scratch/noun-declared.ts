import type { Edit } from './edit.ts'

/** What the contract and the schema of the database say of the sites. */
export const declaringEdits: readonly Edit[] = [
  {
    file: 'packages/contract/src/nouns/sites.ts',
    inserts: [
      [
        '',
        `
import { type Static, Type } from 'typebox'

import { id, singleLine } from '#contract/field-schemas'
import {
  auditedFields,
  inputsOf,
  metadataField,
  readOnly,
  required,
  requiredOf,
  schemasOf,
} from '#contract/fields'
import { createSchema, patchSchema } from '#contract/input-schemas'
import { listOperation } from '#contract/list-operation'
import { operation } from '#contract/operation'

/** The fields of a site, in the order of responses. */
export const siteFields = {
  id: readOnly(id('sit', 'The id of this site.')),
  name: required(singleLine(100, { description: 'The name of the site.', example: 'Quarry' })),
  metadata: metadataField,
  ...auditedFields('the site'),
}

export const Site = Type.Object(schemasOf(siteFields), {
  title: 'Site',
  description: 'A place of work.',
})
export type Site = Static<typeof Site>

export const NewSite = createSchema(requiredOf(siteFields), inputsOf(siteFields, 'create'), {
  title: 'NewSite',
  description: 'A site to create.',
  example: { name: 'Quarry' },
})
export type NewSite = Static<typeof NewSite>

export const SitePatch = patchSchema(Site, inputsOf(siteFields, 'patch'), {
  title: 'SitePatch',
  description: 'A JSON merge patch.',
  example: { name: 'Harbour' },
})
export type SitePatch = Static<typeof SitePatch>

const params = Type.Object({ site_id: id('sit', 'The id of the site.') })

export const sites = {
  list: listOperation({
    summary: 'List the sites.',
    description: 'Returns all sites in order of creation.',
    path: '/v1/sites',
    scope: 'projects.read',
    collection: 'sites',
    item: Site,
    title: 'SiteList',
    filters: {},
  }),

  create: operation({
    summary: 'Create a site.',
    description: 'Creates a site.',
    method: 'POST',
    path: '/v1/sites',
    scope: 'projects.manage',
    body: NewSite,
    status: 201,
    response: Site,
    cache: 'version',
    problems: ['quota_exceeded'],
    events: ['site.created'],
  }),

  view: operation({
    summary: 'View a site.',
    description: 'Returns a site.',
    method: 'GET',
    path: '/v1/sites/{site_id}',
    scope: 'projects.read',
    params,
    status: 200,
    response: Site,
    cache: 'version',
    problems: ['not_found'],
  }),

  update: operation({
    summary: 'Update a site.',
    description: 'Omitted fields are unchanged.',
    method: 'PATCH',
    path: '/v1/sites/{site_id}',
    scope: 'projects.manage',
    params,
    isMergePatch: true,
    body: SitePatch,
    status: 200,
    response: Site,
    cache: 'version',
    problems: ['not_found', 'read_only_field'],
    events: ['site.updated'],
  }),
}`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/contract/src/registry.ts',
    inserts: [
      [
        `tsk: 'a task',`,
        `
  sit: 'a site',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/contract/src/registry.ts',
    inserts: [
      [
        `tasks: 't',`,
        `
  sites: 's',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/contract/src/registry.ts',
    inserts: [
      [
        `description: 'Open tasks.' },`,
        `
  sites: { max: 10_000, used: 3, description: 'Sites.' },`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/contract/src/registry.ts',
    inserts: [
      [
        `'task.updated': 'A task was changed.',`,
        `
  'site.created': 'A site was created.',
  'site.updated': 'A site was changed.',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/contract/src/index.ts',
    inserts: [
      [
        `import { sign_in } from '#contract/nouns/sign-in'
`,
        `import { sites } from '#contract/nouns/sites'
`,
      ],
      [
        'export const operations = {',
        `
  sites,`,
      ],
      [
        'export const tagDescriptions = {',
        `
  sites: 'The sites of the organisation.',`,
      ],
      [
        `export * from '#contract/nouns/sign-in'
`,
        `export * from '#contract/nouns/sites'
`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/migrations/0032_sites.sql',
    inserts: [
      [
        '',
        `
create table sites (
  workspace_id uuid not null,
  id uuid not null,
  name text not null,
  metadata json not null default '{}',
  version bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (workspace_id, id)
);

alter table sites enable row level security;
alter table sites force row level security;
create policy workspace_isolation on sites
  using (workspace_id = current_setting('app.ws')::uuid)
  with check (workspace_id = current_setting('app.ws')::uuid);
grant select, insert, update on sites to muster_app;

alter table workspace_counters
  add column sites_seq bigint not null default 0,
  add column sites integer not null default 0,
  add column sites_max integer not null default 10000
    constraint sites_quota check (sites between 0 and sites_max);`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/storage/schema/nouns.ts',
    inserts: [
      [
        `    quota: 'groups',
    project: null,
    scope: 'personnel.read',
  },
`,
        `  site: {
    prefix: 'sit',
    table: 'sites',
    collection: 'sites',
    quota: 'sites',
    project: null,
    scope: 'projects.read',
  },
`,
      ],
    ],
    foundBy: 'compiler',
  },
]
