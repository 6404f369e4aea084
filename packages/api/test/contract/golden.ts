import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'

/** Compares with the golden file, or writes it: `npm run golden`. */
export function assertGolden(file: URL, text: string): void {
  if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(file, text)
  const golden = readFileSync(file, 'utf8')
  assert.equal(text, golden, `${file.pathname.split('/').at(-1)} has changed. Run: npm run golden`)
}
