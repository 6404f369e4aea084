import { List, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'

import { invalidate, type Noun } from '#data/query-client.ts'
import { isSignedOut } from '#data/reauthentication.ts'
import { problemText } from '#kit/feedback/problem.tsx'
import { showSuccess } from '#kit/feedback/toast.tsx'
import { t } from '#text/index.ts'

interface Bulk<T> {
  readonly items: readonly T[]
  readonly send: (item: T) => Promise<unknown>
  readonly invalidates: readonly Noun[]
  /** The message for the number of items that were changed. */
  readonly successMessage: (count: number) => string
}

/** Changes items one by one. One message says how many succeeded and why the others did not. */
export async function runBulk<T extends { readonly ref: string }>(bulk: Bulk<T>): Promise<void> {
  const { items, send, invalidates, successMessage } = bulk
  const failures: string[] = []
  for (const item of items) {
    try {
      await send(item)
    } catch (error) {
      // The others would be refused, too.
      if (isSignedOut(error)) throw error
      failures.push(t('bulk.failed.one', { ref: item.ref, reason: problemText(error) }))
    }
  }
  await invalidate(...invalidates)
  const message = successMessage(items.length - failures.length)
  if (failures.length === 0) showSuccess(message)
  else showFailures(message, failures)
}

function showFailures(message: string, failures: readonly string[]): void {
  notifications.show({
    role: 'alert',
    autoClose: false,
    color: 'red',
    message: (
      <>
        <Text>{message}</Text>
        <Text>{t('bulk.failed', { count: failures.length })}</Text>
        <List>
          {failures.map((failure) => (
            <List.Item key={failure} className="wrap">
              {failure}
            </List.Item>
          ))}
        </List>
      </>
    ),
  })
}
