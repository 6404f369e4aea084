import { Alert, Button, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'

import { type LinkPreview, signInWithLink } from '#data/sign-in.ts'
import { whoamiQuery } from '#data/whoami.ts'
import { useFormSubmit } from '#kit/form/form-submit.ts'
import { PagePending } from '#kit/parts/page-states.tsx'
import { t } from '#text/index.ts'

import { Panel } from './panel.tsx'

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
  readonly preview: LinkPreview
  readonly onDone: () => Promise<void>
  readonly onError: (error: unknown) => void
}

/**
 * Asks before it uses the link: another site can open this page, and a scanner of messages can run
 * its scripts.
 */
export function LinkSignIn({ workspaceId, token, preview, onDone, onError }: Props) {
  const { workspace, person } = preview
  const session = useQuery(whoamiQuery)
  const { isBusy, handleSubmit } = useFormSubmit(async () => {
    try {
      await signInWithLink(workspaceId, token)
    } catch (error) {
      onError(error)
      return
    }
    await onDone()
  })
  const title = t('sign-in.link.title', { workspace: workspace.name, person: person.name })
  return (
    <Panel title={title}>
      {session.isPending ? (
        <PagePending />
      ) : (
        <form onSubmit={handleSubmit}>
          <Stack gap={12}>
            {session.data && (
              <Alert role="note" variant="light" color="yellow">
                {t('sign-in.link.session', {
                  workspace: session.data.workspace.name,
                  name: (session.data.key ?? session.data.person)?.name ?? '',
                })}
              </Alert>
            )}
            <Button type="submit" variant="filled" loading={isBusy}>
              {t('sign-in.submit')}
            </Button>
            <Text size="sm" c="dimmed">
              {t('sign-in.link.about')}
            </Text>
          </Stack>
        </form>
      )}
    </Panel>
  )
}
