import { Button } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { NoAnswerError } from '@muster/client'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { IconWifiOff } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './offline-banner.module.css'

/** Says above the page that the browser is offline, or that the service does not respond. */
export function OfflineBanner() {
  const { online } = useNetwork()
  const isUnanswered = useUnanswered()
  const queryClient = useQueryClient()
  if (online && !isUnanswered) return null
  const retry = () => queryClient.refetchQueries({ type: 'active' })
  return (
    <div role="status" className={`${classes.banner} no-print`}>
      <IconWifiOff size={16} />
      <p className={classes.text}>
        <strong>{t(online ? 'offline.unanswered' : 'offline.title')}</strong> {t('offline.about')}
      </p>
      <Button size="compact-sm" onClick={() => void retry()}>
        {t('offline.retry')}
      </Button>
    </div>
  )
}

/** Whether the last query failed without an answer. A successful one ends it. */
function useUnanswered(): boolean {
  const queryClient = useQueryClient()
  const [isUnanswered, setUnanswered] = useState(false)
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated') return
        if (event.action.type === 'success') setUnanswered(false)
        if (event.action.type === 'error')
          setUnanswered(event.action.error instanceof NoAnswerError)
      }),
    [queryClient],
  )
  return isUnanswered
}
