import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import type { NewSignInLink, SignInLink } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

import { workspaceQuery } from '#data/workspace.ts'
import { ActionDialog } from '#kit/fields/action-dialog.tsx'
import type { DialogProps } from '#kit/form/dialogs.tsx'
import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
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
    <ShowLink name={seen.name} link={link} onClose={onClose} />
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

interface ShowProps {
  readonly name: string
  readonly link: SignInLink
  readonly onClose: () => void
}

/** Only the button closes the dialog, because the link is not shown again. */
function ShowLink({ name, link, onClose }: ShowProps) {
  useRestoreFocus()
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true })
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={t('link.created', { name })}
      classNames={{ title: 'wrap' }}
      size="lg"
    >
      <Stack>
        <Alert
          role="note"
          variant="outline"
          color="orange"
          icon={<IconAlertTriangle />}
          styles={{ label: { color: 'var(--mantine-color-text)' } }}
          title={t('link.once')}
        >
          {t('link.once.about', { instant: formatInstant(link.expires_at) })}
        </Alert>
        <CopyableText name={t('link.url')} text={link.url} isFirst />
        <Group justify="flex-end">
          <Button variant="filled" onClick={onClose}>
            {t('link.kept')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
