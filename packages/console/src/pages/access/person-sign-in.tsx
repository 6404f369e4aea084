import { Stack, Text } from '@mantine/core'
import type { Passkey, Person } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { lazyRouteComponent } from '@tanstack/react-router'

import { ProblemNotice } from '#kit/feedback/problem.tsx'
import { useKeptState } from '#kit/form/draft.ts'
import { ActionButton } from '#kit/parts/action-button.tsx'
import { LazyDialog } from '#kit/parts/lazy-dialog.tsx'
import { Property } from '#kit/record/property.tsx'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { personSignInQuery } from './queries.ts'

const dialogs = () => import('./person-dialogs.tsx')
const RemoveIdentityDialog = lazyRouteComponent(dialogs, 'RemoveIdentityDialog')
const RemovePasskeyDialog = lazyRouteComponent(dialogs, 'RemovePersonPasskeyDialog')

/** The account and the passkeys with which a person signs in, to remove those of someone else. */
export function PersonSignInProperties({ person }: { readonly person: Person }) {
  const { data, error } = useQuery(personSignInQuery(person.id))
  const [opened, setOpened] = useKeptState<'identity' | Passkey | null>(
    'person-sign-in/dialog',
    null,
  )
  const close = () => setOpened(null)
  if (error) return <ProblemNotice error={error} />
  if (!data) return null
  const { identity, passkeys } = data
  return (
    <>
      <Property name={t('person-identity.name')}>
        {identity === null ? (
          t('person-identity.none')
        ) : (
          <Credential
            name={t('person-identity.account', {
              subject: identity.subject,
              issuer: identity.issuer,
            })}
            about={t('person-identity.bound', usageOf(identity))}
            remove={t('person-identity.remove')}
            onRemove={() => setOpened('identity')}
          />
        )}
      </Property>
      <Property name={t('passkeys.title')}>
        {passkeys.length === 0
          ? t('word.none')
          : passkeys.map((passkey) => (
              <Credential
                key={passkey.id}
                name={passkey.name}
                about={t('person-passkey.about', usageOf(passkey))}
                remove={t('passkeys.remove.one', { name: passkey.name })}
                onRemove={() => setOpened(passkey)}
              />
            ))}
      </Property>
      <LazyDialog isOpen={opened !== null}>
        {opened === 'identity' && <RemoveIdentityDialog person={person} onClose={close} />}
        {opened !== null && opened !== 'identity' && (
          <RemovePasskeyDialog person={person} passkey={opened} onClose={close} />
        )}
      </LazyDialog>
    </>
  )
}

interface Used {
  readonly created_at: string
  readonly last_used_at: string | null
}

const usageOf = ({ created_at, last_used_at: usedAt }: Used) => ({
  age: formatAge(created_at),
  used:
    usedAt === null
      ? t('person-sign-in.unused')
      : t('person-sign-in.used', { age: formatAge(usedAt) }),
})

interface CredentialProps {
  readonly name: string
  readonly about: string
  /** The accessible name of the button. */
  readonly remove: string
  readonly onRemove: () => void
}

function Credential({ name, about, remove, onRemove }: CredentialProps) {
  return (
    <Stack gap={4} align="flex-start" mb={8} style={{ overflowWrap: 'anywhere' }}>
      <span>
        {name}
        <Text size="xs" c="dimmed" component="span" display="block">
          {about}
        </Text>
      </span>
      <ActionButton
        size="compact-sm"
        variant="default"
        className="no-print"
        aria-label={remove}
        onClick={onRemove}
      >
        {t('passkeys.remove')}
      </ActionButton>
    </Stack>
  )
}
