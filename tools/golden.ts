import { spawnSync } from 'node:child_process'

/** `npm run golden`: writes the files of record anew. Read their diffs before you commit them. */
const { status } = spawnSync(
  process.execPath,
  ['tools/test.ts', 'packages/contract/test/golden.test.ts', 'packages/api/test/golden.test.ts'],
  { stdio: 'inherit', env: { ...process.env, UPDATE_GOLDEN: '1' } },
)
process.exitCode = status ?? 1
