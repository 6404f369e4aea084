import { Alert, Button, Group, Modal, Radio, Stack, Text } from '@mantine/core'
import type { NewSignInLink, SignInLink } from '@muster/contract'
import { useQuery } from '@tanstack/react-query'
import { useBlocker } from '@tanstack/react-router'
import { useState } from 'react'

import { workspaceQuery } from '#data/workspace.ts'
import { FormDialog } from '#kit/form/form-dialog.tsx'
import { useKeptForm } from '#kit/form/kept-form.ts'
import { IconAlertTriangle } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { CopyableText } from '#kit/parts/copyable-text.tsx'
import { formatInstant } from '#text/dates.ts'
import { t } from '#text/index.ts'

import { createLink } from './actions.ts'

interface Props {
  readonly entry: { readonly user_id: string | null; readonly name: string }
  readonly onClose: () => void
}

/** First the dialog that creates the link, then the dialog that shows it once. */
export function LinkDialog({ entry, onClose }: Props) {
  const [link, setLink] = useState<SignInLink | null>(null)
  return link === null ? (
    <CreateLink entry={entry} onClose={onClose} onCreated={setLink} />
  ) : (
    <ShowLink name={entry.name} link={link} onClose={onClose} />
  )
}

interface CreateProps extends Props {
  readonly onCreated: (link: SignInLink) => void
}

function CreateLink({ entry: { user_id, name }, onClose, onCreated }: CreateProps) {
  const { data: workspace } = useQuery(workspaceQuery)
  const isEnrolment = workspace?.policies.sign_in_methods.includes('link') === false
  const initialValues: NewSignInLink = { purpose: 'invitation' }
  const form = useKeptForm('access/link', { initialValues })
  const submit = async () => {
    if (user_id !== null) onCreated(await createLink(user_id, form.getValues().purpose))
    return false
  }
  return (
    <FormDialog
      title={t('link.title', { name })}
      submit={t('link.submit')}
      onClose={onClose}
      onSubmit={submit}
    >
      <Text size="sm">{t('link.about', { name })}</Text>
      {isEnrolment && <Text size="sm">{t('link.enrols')}</Text>}
      <Radio.Group label={t('link.purpose')} {...form.getInputProps('purpose')}>
        <Stack gap="xs" mt="xs">
          <Radio value="invitation" label={t('link.purpose.invitation')} data-autofocus />
          <Radio value="sign_in" label={t('link.purpose.sign_in')} />
        </Stack>
      </Radio.Group>
    </FormDialog>
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
