import { Alert, Anchor, Code, Group, List, Text } from '@mantine/core'
import { NoAnswerError, type Problem, ProblemError } from '@muster/client'

import { t } from '#text/index.ts'
import { fieldLabel } from '#text/labels.ts'

/**
 * Why something failed, what to do about it, and the request's id for whoever runs the service.
 */
export function ProblemNotice({ error }: { readonly error: unknown }) {
  if (error instanceof ProblemError) return <Refused problem={error.problem} />
  const isUnanswered = error instanceof NoAnswerError
  return (
    <Alert color="red" variant="outline" role="alert" title={t('problem.title')}>
      {isUnanswered ? t('problem.unanswered') : t('problem.unknown')}
    </Alert>
  )
}

function Refused({ problem }: { readonly problem: Problem }) {
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

/** What is wrong with each field of a form, by the field's name. */
function flawsByField(error: unknown): Record<string, string> {
  if (!(error instanceof ProblemError)) return {}
  const { errors = [], pointer, detail } = error.problem
  const own = typeof pointer === 'string' ? [{ pointer, detail }] : []
  return Object.fromEntries(
    [...errors, ...own].map((flaw) => [
      flaw.pointer.slice(1).replaceAll('/', '.'),
      flaw.detail.charAt(0).toUpperCase() + flaw.detail.slice(1),
    ]),
  )
}

interface Flawed {
  readonly setErrors: (errors: Record<string, string>) => void
}

/** Shows what is wrong beside the fields, and lets the dialog tell the rest. */
export async function showFlaws<R>(form: Flawed, doing: Promise<R>): Promise<R> {
  try {
    return await doing
  } catch (error) {
    form.setErrors(flawsByField(error))
    throw error
  }
}
