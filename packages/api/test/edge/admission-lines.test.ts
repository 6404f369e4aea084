import assert from 'node:assert/strict'
import { test } from 'node:test'

import { AdmissionLines } from '#http/edge/admission-lines'

const cleanUpMs = 1000
const name = { name: 'wsp_1', isAnonymous: false }

test('keeps the line of a request that runs, and forgets it after the request', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines = new AdmissionLines()
  const line = lines.get(name)
  const startedAt = performance.now()
  line.start(startedAt)
  t.mock.timers.tick(cleanUpMs)
  assert.equal(lines.get(name), line, 'a request holds a place')
  line.end(startedAt, startedAt)
  t.mock.timers.tick(cleanUpMs)
  assert.notEqual(lines.get(name), line, 'no request and no used time')
})

test('remembers the time that a workspace has used', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const lines = new AdmissionLines()
  const line = lines.get(name)
  const now = performance.now()
  line.start(now - 100)
  line.end(now - 100, now)
  t.mock.timers.tick(cleanUpMs)
  assert.equal(lines.get(name), line)
})
