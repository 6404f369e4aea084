import { Alert, Anchor, Code, Group, List, Text } from '@mantine/core'
import { NoAnswerError, type Problem, ProblemError } from '@muster/client'

import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'

/** Shows why a request failed, a link to its remedy, and the request id for an administrator. */
export function ProblemNotice({ error }: { readonly error: unknown }) {
  if (error instanceof ProblemError) return <ProblemAlert problem={error.problem} />
  const hasNoResponse = error instanceof NoAnswerError
  return (
    <Alert color="red" variant="outline" role="alert" title={t('problem.title')}>
      {hasNoResponse ? t('problem.unanswered') : t('problem.unknown')}
    </Alert>
  )
}

function ProblemAlert({ problem }: { readonly problem: Problem }) {
  return (
    <Alert color="red" variant="outline" role="alert" title={problem.title}>
      <Text size="sm" className="wrap">
        {problem.detail}
      </Text>
      {problem.errors && (
        <List size="sm" mt="xs">
          {problem.errors.map(({ pointer, detail }) => (
            <List.Item key={`${pointer} ${detail}`}>
              {fieldLabel(pointer.split('/').at(-1) ?? '')} {detail}
            </List.Item>
          ))}
        </List>
      )}
      <Group gap="md" mt="xs">
        <Anchor href={`/problems/${problem.code}`} size="sm" underline="always">
          {t('problem.advice')}
        </Anchor>
        <Text size="xs" c="dimmed">
          {t('problem.request')} <Code>{problem.request_id}</Code>
        </Text>
      </Group>
    </Alert>
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
