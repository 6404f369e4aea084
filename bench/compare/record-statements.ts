import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'

/** Loaded into the service: appends every statement that it sends to the file STATEMENTS. */
const file = process.env['STATEMENTS'] ?? ''
subscribe('muster.statement', (statement) => {
  appendFileSync(file, `${JSON.stringify(statement)}\n`)
})
