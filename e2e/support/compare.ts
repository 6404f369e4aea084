import { compareFolders } from './compare-pictures.ts'

/** Compares the pictures of `--screenshots` with those in a folder, and fails when one differs. */
const [before = ''] = process.argv.slice(2)
const [after, differences] = ['.build/screenshots', '.build/differences']
const lines = compareFolders({ before, after, differences })
for (const line of lines) process.stdout.write(`${line}\n`)
process.stdout.write(
  `${lines.length} pictures differ from those in ${before}. See ${differences}.\n`,
)
if (lines.length > 0) process.exitCode = 1
