import { Radio, Stack, Text } from '@mantine/core'
import type { NewSignInLink, SignInLink } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { workspaceQuery } from '#data/workspace.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { ShownOnceDialog } from '#kit/form/shown-once-dialog.tsx'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { createLink } from './actions.ts'
import type { SignInPerson } from './sign-in-dialogs.ts'

/** First the dialog that creates the link, then the dialog that shows it once. */
export function LinkDialog({ seen, onClose }: DialogProps<SignInPerson>) {
  const [link, setLink] = useState<SignInLink | null>(null)
  return link === null ? (
    <CreateLink seen={seen} onClose={onClose} onCreated={setLink} />
  ) : (
    <ShownOnceDialog
      title={t('link.created', { name: seen.name })}
      notice={{
        title: t('link.once'),
        about: t('link.once.about', { instant: formatInstant(link.expires_at) }),
      }}
      submit={t('link.kept')}
      onClose={onClose}
    >
      <CopyableText name={t('link.url')} text={link.url} isFirst />
    </ShownOnceDialog>
  )
}

interface CreateProps extends DialogProps<SignInPerson> {
  readonly onCreated: (link: SignInLink) => void
}

function CreateLink({ seen: { id, name }, onClose, onCreated }: CreateProps) {
  const { data: workspace } = useQuery(workspaceQuery)
  const isEnrolment = workspace?.policies.sign_in_methods.includes('link') === false
  return (
    <ActionDialog<NewSignInLink>
      draft="access/link"
      title={t('link.title', { name })}
      submit={t('link.submit')}
      initialValues={{ purpose: 'invitation' }}
      send={async ({ purpose }) => {
        onCreated(await createLink(id, purpose))
        return false
      }}
      onClose={onClose}
    >
      {(form) => (
        <>
          <Text size="sm">{t('link.about', { name })}</Text>
          {isEnrolment && <Text size="sm">{t('link.enrols')}</Text>}
          <Radio.Group label={t('link.purpose')} {...form.getInputProps('purpose')}>
            <Stack gap="xs" mt="xs">
              <Radio value="invitation" label={t('link.purpose.invitation')} data-autofocus />
              <Radio value="sign_in" label={t('link.purpose.sign_in')} />
            </Stack>
          </Radio.Group>
        </>
      )}
    </ActionDialog>
  )
}
