import { spawnSync } from 'node:child_process'

/** `npm run pictures`: takes the pictures of the README and the guides again. Look at each of them. */
const { status } = spawnSync(process.execPath, ['tools/test.ts', '--e2e', 'e2e/pictures.test.ts'], {
  stdio: 'inherit',
  env: { ...process.env, UPDATE_PICTURES: '1' },
})
process.exitCode = status ?? 1
