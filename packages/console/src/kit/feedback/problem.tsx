import { Alert, Anchor, Button, Code, Group, List, Text } from '@mantine/core'
import { NoAnswerError, type Problem, ProblemError } from '@muster/client'

import { PasskeyError } from '#data/passkeys.ts'
import { isSignedOut, signInAgain } from '#data/reauthentication.ts'
import { rowsMax, TooManyRowsError } from '#data/too-many-rows.ts'
import { PersonLink, usePersonNames } from '#kit/references/people.tsx'
import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'

interface NoticeProps {
  readonly error: unknown
  /** Sends the request again. Offered only if that can help. */
  readonly onRetry?: (() => void) | undefined
  readonly onDismiss?: (() => void) | undefined
  /** Whether the request was a sign-in. Then 401 means that it was refused. */
  readonly isSignIn?: boolean
}

/** Shows why a request failed, a link to its remedy, and the request id for an administrator. */
export function ProblemNotice({ error, onRetry, onDismiss, isSignIn = false }: NoticeProps) {
  if (isSignedOut(error, isSignIn)) return <SignedOutNotice />
  const problem = error instanceof ProblemError ? error.problem : null
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      title={problem?.title ?? t('problem.title')}
      withCloseButton={onDismiss !== undefined}
      closeButtonLabel={t('toast.close')}
      {...(onDismiss && { onClose: onDismiss })}
    >
      {problem === null ? errorText(error) : <ProblemDetails problem={problem} />}
      {onRetry && canRetry(error) && (
        <Button size="compact-sm" mt="sm" display="block" onClick={onRetry}>
          {t('problem.retry')}
        </Button>
      )}
    </Alert>
  )
}

/** The button asks on this page, so that typed text stays. */
function SignedOutNotice() {
  return (
    <Alert color="red" variant="light" role="alert" title={t('sign-in.again.signed_out')}>
      {t('sign-in.again.signed_out.about')}
      <Button
        size="compact-sm"
        mt="sm"
        display="block"
        onClick={() => void signInAgain('signed_out')}
      >
        {t('sign-in.submit')}
      </Button>
    </Alert>
  )
}

/** Why a request failed, in one sentence. */
export function problemText(error: unknown): string {
  if (isSignedOut(error)) return t('sign-in.again.signed_out')
  return error instanceof ProblemError ? error.problem.detail : errorText(error)
}

/** No answer, too many requests, or a failure of the service. */
const canRetry = (error: unknown) =>
  error instanceof NoAnswerError ||
  (error instanceof ProblemError && (error.status === 429 || error.status >= 500))

function errorText(error: unknown): string {
  if (error instanceof PasskeyError) return t(`passkey.error.${error.reason}`)
  if (error instanceof TooManyRowsError) return t('list.export.too-many', { max: rowsMax })
  return t(error instanceof NoAnswerError ? 'problem.unanswered' : 'problem.unknown')
}

type FieldError = NonNullable<Problem['errors']>[number]

/** The errors that the detail does not say. */
function furtherErrors({ detail, errors = [] }: Problem): readonly FieldError[] {
  const [first] = errors
  return errors.length === 1 && first && detail.startsWith(first.detail) ? [] : errors
}

/** The label of the field. The name of a column of a file is in the detail. */
const labelOf = ({ pointer }: FieldError) =>
  pointer.startsWith('/header') ? '' : fieldLabel(pointer.split('/').at(-1) ?? '')

function ProblemDetails({ problem }: { readonly problem: Problem }) {
  const userIds = userIdsOf(problem)
  const errors = furtherErrors(problem)
  return (
    <>
      <Text className="wrap">{detailOf(problem)}</Text>
      {errors.length > 0 && (
        <List mt="xs">
          {errors.map((error) => (
            <List.Item key={`${error.pointer} ${error.detail}`}>
              {labelOf(error)} {error.detail}
            </List.Item>
          ))}
        </List>
      )}
      {userIds.length > 0 && <PeopleOf userIds={userIds} />}
      <Group gap="md" mt="xs">
        <Anchor href={`/problems/${problem.code}`} underline="always">
          {t('problem.advice')}
        </Anchor>
        <Text size="sm" c="dimmed">
          {t('problem.request')} <Code>{problem.request_id}</Code>
        </Text>
      </Group>
    </>
  )
}

/** The ids of what was not found mean nothing to people. */
function detailOf({ status, detail }: Problem): string {
  const noun = /^There is no ([a-z ]+?) [a-z]{3}_/.exec(detail)?.[1]
  return status === 404 && noun !== undefined ? t('problem.missing', { noun }) : detail
}

/** The people that a problem names. */
const userIdsOf = ({ user_ids: ids }: Problem): string[] =>
  Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : []

/** Links to people. Only someone who is signed in can read their names. */
function PeopleOf({ userIds }: { readonly userIds: readonly string[] }) {
  const names = usePersonNames(userIds)
  return (
    <List mt="xs">
      {userIds.map((userId) => (
        <List.Item key={userId}>
          <PersonLink userId={userId} names={names} />
        </List.Item>
      ))}
    </List>
  )
}

/** The errors of a form by field name. */
function errorsByField(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {}
  const { errors = [], pointer, detail } = error.problem
  const single = typeof pointer === 'string' ? [{ pointer, detail }] : []
  return Object.fromEntries(
    [...errors, ...single].map((fieldError) => [
      fieldError.pointer.slice(1).replaceAll('/', '.'),
      fieldError.detail.charAt(0).toUpperCase() + fieldError.detail.slice(1),
    ]),
  )
}

interface FieldErrorTarget {
  readonly setErrors: (errors: Record<string, string>) => void
}

/** Sets the field errors of the form, then rethrows for the dialog. */
export async function withFieldErrors<R>(form: FieldErrorTarget, request: Promise<R>): Promise<R> {
  try {
    return await request
  } catch (error) {
    form.setErrors(errorsByField(error))
    throw error
  }
}
