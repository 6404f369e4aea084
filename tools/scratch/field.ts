import type { Edit } from './edit.ts'

/** The steps of "Add a field" in CONTRIBUTING.md: risks get a workstream, with a filter. */
export const fieldEdits: readonly Edit[] = [
  {
    file: 'packages/contract/src/nouns/risks/fields.ts',
    inserts: [
      [
        `'technical'),\n  ),`,
        `
  workstream: filtered(
    optional(
      singleLine(50, { description: 'The workstream of the risk.', example: 'Lifting' }),
    ),
    valuesFilter(
      singleLine(50, { description: 'A workstream.', example: 'Lifting' }),
      'Only risks of these workstreams.',
    ),
  ),`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/migrations/0032_risk_workstreams.sql',
    inserts: [
      [
        '',
        `
-- The workstream of a risk. Null is the default, so that no row is written.
alter table risks add column workstream text;
-- squawk-ignore require-concurrent-index-creation
create index risks_by_workstream on risks (workspace_id, workstream, rank_key, id) where is_live;`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/api/src/storage/nouns/register.ts',
    inserts: [
      [
        `category: { column: 'category', kind: 'text' },`,
        `
    workstream: { column: 'workstream', kind: 'text' },`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/text/en/risk.ts',
    inserts: [
      [
        `'risk.field.category': 'Category',`,
        `
  'risk.field.workstream': 'Workstream',`,
      ],
    ],
    foundBy: 'compiler',
  },
  {
    file: 'packages/console/src/nouns/risks/risk-properties.tsx',
    inserts: [
      [
        `<Origin risk={risk} />`,
        `
      <Property name={t('risk.field.workstream')}>{risk.workstream ?? t('word.none')}</Property>`,
      ],
    ],
    foundBy: 'packages/console/test/field-labels.test.ts',
  },
  {
    file: 'packages/console/src/nouns/risks/risk-views.ts',
    inserts: [
      [
        `  filterOf(riskFields.category),`,
        `
  { name: 'workstream', label: t('risk.field.workstream'), kind: 'text' },`,
      ],
    ],
    foundBy: 'packages/console/test/field-labels.test.ts',
  },
  {
    file: 'packages/demo/src/risks-dam.ts',
    inserts: [
      [
        "'Gate trunnions too heavy for the crane that is on site',",
        `
    workstream: 'Lifting',`,
      ],
      [
        "'Concrete pours stopped by frost below minus fifteen degrees',",
        `
    workstream: 'Concrete',`,
      ],
    ],
    foundBy: 'packages/api/test/contract/filters.test.ts',
  },
  {
    file: 'CHANGELOG.md',
    inserts: [[`same step.\n`, `- Risks have a \`workstream\`, with a filter of the register.\n`]],
    foundBy: 'tools/rules/changelog.test.ts',
  },
]
