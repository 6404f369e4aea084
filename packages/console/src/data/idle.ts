import { queryClient } from './query-client.ts'

const quietMs = 200

/** Calls back when the page has its data and the browser has time. */
export function afterQuiet(act: () => void): void {
  const check = () => (queryClient.isFetching() > 0 ? afterQuiet(act) : idle().then(act))
  setTimeout(() => void check(), quietMs)
}

/** Safari has no requestIdleCallback. */
export const idle = () =>
  new Promise<void>((resolve) => {
    if ('requestIdleCallback' in window) requestIdleCallback(() => resolve())
    else setTimeout(resolve, quietMs)
  })
