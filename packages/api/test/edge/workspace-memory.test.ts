import assert from 'node:assert/strict'
import { test } from 'node:test'

import { WorkspaceMemory } from '#domain/engine/workspace-memory'

const minute = 60_000
const value = { value: 'text', size: 1000 }

test('an unused value is dropped within ten minutes, in an idle process too', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const memory = new WorkspaceMemory(100_000, () => now)
  const pass = (ms: number) => {
    for (let passed = 0; passed < ms; passed += minute / 2) {
      now += minute / 2
      t.mock.timers.tick(minute / 2)
    }
  }
  memory.set('w', 'used', value)
  memory.set('w', 'unused', value)
  pass(8 * minute)
  assert.equal(memory.get('w', 'used'), 'text')
  pass(2 * minute)
  assert.equal(memory.get('w', 'unused'), undefined)
  assert.equal(memory.get('w', 'used'), 'text')
  pass(10 * minute)
  assert.equal(memory.bytes, 0)
})

test('the least recently used value of the largest workspace is dropped first', () => {
  let now = 0
  const memory = new WorkspaceMemory(20_000, () => now)
  memory.set('small', 'own', value)
  for (let each = 0; each < 11; each++) {
    now += 2000
    memory.set('large', `value ${each}`, value)
    assert.equal(memory.get('large', 'value 0'), 'text')
  }
  memory.set('large', 'one more', value)
  memory.set('large', 'another', value)
  assert.ok(memory.bytes <= 20_000, `${memory.bytes}`)
  assert.equal(memory.get('small', 'own'), 'text')
  assert.equal(memory.get('large', 'value 0'), 'text')
  assert.equal(memory.get('large', 'value 1'), undefined)
})

test('a memory of nothing keeps nothing', () => {
  const memory = new WorkspaceMemory(0)
  memory.set('w', 'name', value)
  assert.equal(memory.get('w', 'name'), undefined)
  assert.ok(memory.isOff)
})
