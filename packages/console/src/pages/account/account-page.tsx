import { Button } from '@mantine/core'
import type { Whoami } from '@muster/contract'

import { useWhoami } from '#data/whoami.ts'
import { Line, Lines } from '#frame/settings-page.tsx'
import { useSignOut } from '#frame/sign-out.ts'
import { AnchorLink } from '#kit/parts/links.tsx'
import { Page, Section } from '#kit/parts/page.tsx'
import { Hint } from '#nouns/keys/key-link.tsx'
import { ProjectLinks } from '#nouns/keys/key-projects.tsx'
import { mayTexts } from '#nouns/keys/scope-texts.ts'
import { formatAge } from '#text/dates.ts'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { DeviceSection } from './device-section.tsx'
import { DisplaySection } from './display-section.tsx'
import { PasskeysSection } from './passkeys-section.tsx'
import { PersonalKeysSection } from './personal-keys-section.tsx'
import { SessionsSection } from './sessions-section.tsx'

export function AccountPage() {
  const whoami = useWhoami()
  const signOut = useSignOut()
  return (
    <Page
      title={t('account.title')}
      actions={
        <Button variant="default" onClick={() => void signOut()}>
          {t('shell.sign-out')}
        </Button>
      }
    >
      {whoami.key === null ? (
        <>
          <About whoami={whoami} />
          <SessionsSection />
          <PasskeysSection />
          <PersonalKeysSection />
        </>
      ) : (
        <KeyAccount apiKey={whoami.key} />
      )}
      {whoami.person && <DisplaySection />}
      <DeviceSection />
    </Page>
  )
}

function KeyAccount({ apiKey }: { readonly apiKey: NonNullable<Whoami['key']> }) {
  return (
    <Section title={t('shell.key')}>
      <p>{t('account.by-key.about')}</p>
      <Lines>
        <Line name={t('account.by-key')}>
          <AnchorLink to="/keys/$key_id" params={{ key_id: apiKey.id }} search={{}} inherit>
            {apiKey.name}
          </AnchorLink>{' '}
          <Hint hint={apiKey.hint} />
        </Line>
        <Line name={t('keys.may')}>{mayTexts(apiKey.scopes).join(', ') || t('word.none')}</Line>
        <Line name={t('keys.projects')}>
          <ProjectLinks project_ids={apiKey.project_ids} />
        </Line>
      </Lines>
    </Section>
  )
}

function About({ whoami: { person, roles, session } }: { readonly whoami: Whoami }) {
  if (person === null) return null
  return (
    <Section title={t('account.you')}>
      <Lines>
        <Line name={t('word.name')}>
          <AnchorLink to="/people/$user_id" params={{ user_id: person.user_id }} underline="always">
            {person.name}
          </AnchorLink>
        </Line>
        <Line name={t('word.email')}>{person.email ?? t('value.none')}</Line>
        <Line name={t('word.roles')}>
          {roles.map((role) => label('role', role)).join(', ') || t('shell.no-role')}
        </Line>
        {session && (
          <Line name={t('word.signed-in')}>
            {t('account.signed-in.by', {
              age: formatAge(session.authenticated_at),
              method: label('signInMethod', session.method),
            })}
          </Line>
        )}
      </Lines>
    </Section>
  )
}
