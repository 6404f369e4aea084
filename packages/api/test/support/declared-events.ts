import assert from 'node:assert/strict'

import { everyOperation } from '@muster/contract'
import { atEnd } from '@muster/testing/at-end'

import { recordedEvents } from '#storage/transaction/write'

interface Recorded {
  readonly operation: string | null
  readonly type: string
}

const declared = new Map(
  everyOperation().map(({ name, operation }) => [name, new Set<string>(operation.events)]),
)

/** Fails the test file when an operation records an event that the contract does not declare. */
export function watchEvents(): void {
  const undeclared = new Set<string>()
  const check = (message: unknown) => {
    const { operation, type } = message as Recorded
    if (operation !== null && !declared.get(operation)?.has(type)) {
      undeclared.add(`${operation} records ${type}`)
    }
  }
  recordedEvents.subscribe(check)
  atEnd(async () => {
    recordedEvents.unsubscribe(check)
    assert.deepEqual([...undeclared], [], 'the contract does not declare these events')
  })
}
