import { spawnSync } from 'node:child_process'

/** `npm run golden`: regenerates the golden files. Read their diffs before you commit them. */
const { status } = spawnSync(
  process.execPath,
  [
    'tools/test.ts',
    'tools/rules/migrations.test.ts',
    'packages/contract/test/golden.test.ts',
    'packages/api/test/contract/golden.test.ts',
    'packages/console/test/example-register.test.ts',
    'tools/reference/reference.test.ts',
  ],
  { stdio: 'inherit', env: { ...process.env, UPDATE_GOLDEN: '1' } },
)
process.exitCode = status ?? 1
