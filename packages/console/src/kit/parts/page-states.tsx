import { Center, Loader } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { NoAnswerError, ProblemError } from '@muster/client'
import { useRouter } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'

import { queryClient } from '#data/query-client.ts'
import { isSignedOut } from '#data/reauthentication.ts'
import { IconPlugConnectedX, IconRefresh, IconSearch } from '#kit/icons/index.tsx'
import { formatInstant } from '#text/dates.ts'
import { t, type TextKey } from '#text/index.ts'

import { ActionButton } from './action-button.tsx'
import { ButtonLink } from './links.tsx'

import classes from './page-states.module.css'

export function PagePending() {
  return (
    <Center py={48}>
      <Loader size="sm" aria-label={t('page.loading')} />
    </Center>
  )
}

interface StatePageProps {
  readonly title: string
  readonly icon: ReactNode
  readonly about: string
  readonly children: ReactNode
}

/** A page that says why there is no content, and what to do. */
function StatePage({ title, icon, about, children }: StatePageProps) {
  useDocumentTitle(`${title} · Muster`)
  return (
    <div className={classes.state}>
      <span className={classes.icon}>{icon}</span>
      <h1 className={classes.title}>{title}</h1>
      <p className={classes.about}>{about}</p>
      {children}
    </div>
  )
}

interface FailedProps {
  readonly error: unknown
}

/** Replaces a page that failed. It offers to try again, and names the request. */
export function PageFailed({ error }: FailedProps) {
  const router = useRouter()
  const [failedAt] = useState(() => new Date().toISOString())
  const retry = () => {
    queryClient.removeQueries({ predicate: ({ state }) => state.status === 'error' })
    void router.invalidate()
  }
  return (
    <StatePage
      title={t('page.failed')}
      icon={<IconPlugConnectedX size={32} />}
      about={t(failureText(error))}
    >
      <div className={classes.actions}>
        <ActionButton variant="filled" leftSection={<IconRefresh size={16} />} onClick={retry}>
          {t('problem.retry')}
        </ActionButton>
        <ButtonLink to="/my-work" search={{}}>
          {t('page.home')}
        </ButtonLink>
      </div>
      <dl className={classes.facts}>
        {error instanceof ProblemError && (
          <Fact name={t('page.failed.what')}>
            {error.status}{' '}
            {isSignedOut(error) ? t('sign-in.again.signed_out') : error.problem.title}
          </Fact>
        )}
        <Fact name={t('page.failed.when')}>{formatInstant(failedAt)}</Fact>
        {error instanceof ProblemError && (
          <Fact name={t('problem.request')}>
            <code>{error.problem.request_id}</code>
          </Fact>
        )}
      </dl>
    </StatePage>
  )
}

/** For a failure outside the frame, which has no main landmark. */
export const FrameFailed = (props: FailedProps) => (
  <main className={classes.whole}>
    <PageFailed {...props} />
  </main>
)

function failureText(error: unknown): TextKey {
  if (error instanceof ProblemError) return 'page.failed.answered'
  return error instanceof NoAnswerError ? 'problem.unanswered' : 'page.failed.unknown'
}

interface FactProps {
  readonly name: string
  readonly children: ReactNode
}

const Fact = ({ name, children }: FactProps) => (
  <div className={classes.fact}>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

export function PageMissing() {
  return (
    <StatePage
      title={t('page.missing')}
      icon={<IconSearch size={32} />}
      about={t('page.missing.advice')}
    >
      <div className={classes.actions}>
        <ButtonLink to="/my-work" search={{}} variant="filled">
          {t('page.home')}
        </ButtonLink>
      </div>
    </StatePage>
  )
}
