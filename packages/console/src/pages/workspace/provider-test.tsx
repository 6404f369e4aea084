import { Group, List, Text } from '@mantine/core'
import type { SignInTest } from '@muster/contract'
import { useMutation } from '@tanstack/react-query'

import { client } from '#data/client.ts'
import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { IconCheck, IconX } from '#kit/icons/index.tsx'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { t } from '#text/index.ts'

interface Props {
  readonly onRemove: () => void
}

/** Tests the stored provider and shows each check, with what to correct. */
export function ProviderTest({ onRemove }: Props) {
  const { mutate, data, error, isPending } = useMutation({
    mutationFn: () => client.sign_in.test(),
  })
  return (
    <>
      <Group gap="xs" mt="md" className="no-print">
        <ActionButton size="compact-md" loading={isPending} onClick={() => mutate()}>
          {t('provider.test')}
        </ActionButton>
        <ActionButton size="compact-md" variant="default" onClick={onRemove}>
          {t('word.remove')}
        </ActionButton>
      </Group>
      {error && <ProblemNotice error={error} />}
      {data && <TestResult result={data} />}
    </>
  )
}

/** Each check of a provider, with what to correct. */
export function TestResult({ result: { is_ok, checks } }: { readonly result: SignInTest }) {
  return (
    <section aria-label={t('provider.test.title')}>
      <Text size="sm" fw={600} mt="md" role="status">
        {t(is_ok ? 'provider.test.ok' : 'provider.test.failed')}
      </Text>
      <List size="sm" listStyleType="none" spacing={6} mt="xs">
        {checks.map((check) => (
          <List.Item key={check.name} className="wrap">
            <CheckMark isOk={check.is_ok} />{' '}
            <Text span inherit fw={600}>
              {t(check.is_ok ? 'provider.check.passed' : 'provider.check.failed')}
            </Text>{' '}
            {check.name}
            {check.advice !== null && (
              <Text size="sm" mt={2}>
                {check.advice}
              </Text>
            )}
          </List.Item>
        ))}
      </List>
    </section>
  )
}

const CheckMark = ({ isOk }: { readonly isOk: boolean }) =>
  isOk ? <IconCheck size={14} aria-hidden /> : <IconX size={14} aria-hidden />
