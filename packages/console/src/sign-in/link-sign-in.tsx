import { Group, Loader, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'

import { signInWithLink } from '#api/sign-in.ts'
import { t } from '#text/index.ts'
import { ProblemNotice } from '#ui/problem.tsx'

const tokenPattern = /^#(muster_link_\w+)$/

/**
 * The token of a sign-in link, from the fragment of the address. Browsers do not send the fragment,
 * so it is in no log. It is removed from the address, so that the history does not keep it.
 */
export function useLinkToken(): string | null {
  const [token] = useState(() => tokenPattern.exec(location.hash)?.[1] ?? null)
  useEffect(() => {
    if (token !== null) {
      history.replaceState(history.state, '', location.pathname + location.search)
    }
  }, [token])
  return token
}

interface Props {
  readonly workspaceId: string
  readonly token: string
  readonly onDone: () => void
}

/**
 * Uses the link when the page has loaded. A preview of the link in a chat runs no scripts, so it
 * does not use up the link.
 */
export function LinkSignIn({ workspaceId, token, onDone }: Props) {
  const [error, setError] = useState<unknown>(null)
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return
    isSent.current = true
    signInWithLink(workspaceId, token).then(onDone, setError)
  }, [workspaceId, token, onDone])
  if (error !== null) return <ProblemNotice error={error} />
  return (
    <Group gap="sm" role="status">
      <Loader size="sm" />
      <Text size="sm">{t('sign-in.link.busy')}</Text>
    </Group>
  )
}
