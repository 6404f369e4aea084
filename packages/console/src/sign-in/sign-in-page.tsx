import { Alert, Anchor } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useParams, useRouter, useSearch } from '@tanstack/react-router'

import { queryClient } from '#api/query-client.ts'
import type { Search } from '#api/search.ts'
import { signInMethodsQuery, soleWorkspaceQuery } from '#api/sign-in.ts'
import { t } from '#text/index.ts'
import { PagePending } from '#ui/page-states.tsx'
import { ProblemNotice } from '#ui/problem.tsx'

import { Choices } from './choices.tsx'
import { KeyForm } from './key-form.tsx'
import { LinkSignIn, useLinkToken } from './link-sign-in.tsx'
import { WorkspaceForm } from './workspace-form.tsx'

import classes from './sign-in.module.css'

/** Asks for the workspace, unless the service has only one. */
export function SignInPage() {
  const { data: workspaceId, isPending } = useQuery(soleWorkspaceQuery)
  return isPending ? <PagePending /> : <SignIn workspaceId={workspaceId ?? null} />
}

export function WorkspaceSignInPage() {
  const { workspace_id } = useParams({ from: '/sign-in/$workspace_id' })
  return <SignIn workspaceId={workspace_id} />
}

function SignIn({ workspaceId }: { readonly workspaceId: string | null }) {
  const { back = '/', problem } = useSearch({ strict: false }) as Search
  const returnTo = localPath(back)
  const { history } = useRouter()
  const token = useLinkToken()
  const methods = useQuery({
    ...signInMethodsQuery(workspaceId ?? ''),
    enabled: workspaceId !== null,
  })
  const name = methods.data?.workspace.name ?? 'Muster'
  useDocumentTitle(`${t('sign-in.title')} · Muster`)
  const finish = () => {
    queryClient.clear()
    history.push(returnTo)
  }
  return (
    <div className={classes.page}>
      <main className={classes.panel}>
        <span className={classes.mark} aria-hidden>
          {Array.from(name)[0]}
        </span>
        <h1 className={classes.title}>{t('sign-in.title.to', { name })}</h1>
        {problem !== undefined && <Refusal />}
        {token !== null && workspaceId !== null && (
          <LinkSignIn workspaceId={workspaceId} token={token} onDone={finish} />
        )}
        {workspaceId === null && <WorkspaceForm />}
        {methods.isError && (
          <ProblemNotice error={methods.error} onRetry={() => void methods.refetch()} />
        )}
        {methods.data && <Choices methods={methods.data} returnTo={returnTo} onDone={finish} />}
        {/* After what stands above it: otherwise it moves while someone clicks it. */}
        {!methods.isLoading && <KeyForm onDone={finish} />}
      </main>
      <footer className={classes.foot}>
        <Anchor href="/docs/api" inherit underline="always">
          {t('sign-in.reference')}
        </Anchor>
      </footer>
    </div>
  )
}

/** The service does not say why, because the answer would show strangers who has an account. */
function Refusal() {
  return (
    <Alert color="red" variant="light" role="alert" title={t('sign-in.refused')}>
      {t('sign-in.refused.about')}
    </Alert>
  )
}

/** Prevents an open redirect: only paths of this origin are allowed. */
const localPath = (address: string) => (/^\/(?![/\\])/.test(address) ? address : '/')
