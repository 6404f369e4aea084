import { Button, Code, Collapse, Stack, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'

import { IconChevronDown } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import { KeySignIn } from './key-sign-in.tsx'

/** The form for an API key, collapsed at first, because most people sign in without one. */
export function KeyForm({ onDone }: { readonly onDone: () => void }) {
  const [isOpen, { toggle }] = useDisclosure(false)
  return (
    <div>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-expanded={isOpen}
        rightSection={<IconChevronDown size={16} />}
        onClick={toggle}
      >
        {t('sign-in.use-key')}
      </Button>
      <Collapse expanded={isOpen}>
        <Stack mt="sm">
          <Text size="sm">{t('sign-in.about')}</Text>
          <KeySignIn variant="default" onDone={onDone} />
          <Text size="sm" c="dimmed">
            {t('sign-in.no-key')}
          </Text>
          <Code block className="prose">
            npm run admin -- key create --name Console --scopes projects.manage,personnel.manage
          </Code>
        </Stack>
      </Collapse>
    </div>
  )
}
