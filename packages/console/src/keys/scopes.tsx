import { Code, Table, Text, VisuallyHidden } from '@mantine/core'
import type { Scope } from '@muster/contract'
import { IconCheck, IconX } from '@tabler/icons-react'

import { t } from '#text/index.ts'
import { Section } from '#ui/page.tsx'

import { allows, everyScope, isHeld } from './scope-words.ts'

interface Props {
  readonly held: readonly Scope[]
  readonly title?: string
}

/** Every scope in words, so that one also sees what the key may not do. */
export function Scopes({ held, title = t('keys.scopes') }: Props) {
  return (
    <Section title={title}>
      <Text size="sm" c="dimmed" mb="xs">
        {t('keys.scopes.about')}
      </Text>
      <Table verticalSpacing={6} horizontalSpacing="xs">
        <caption>
          <VisuallyHidden>{t('keys.scopes.caption')}</VisuallyHidden>
        </caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Th scope="col">{t('keys.scope')}</Table.Th>
            <Table.Th scope="col">{t('keys.has-it')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {everyScope.map((scope) => (
            <Table.Tr key={scope}>
              <Table.Th scope="row" fw={400}>
                <Code className="wrap">{scope}</Code>
                <Text size="sm" mt={2}>
                  {t(allows[scope])}
                </Text>
              </Table.Th>
              <Table.Td>
                <Mark isYes={isHeld(held, scope)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function Mark({ isYes }: { readonly isYes: boolean }) {
  const Icon = isYes ? IconCheck : IconX
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }} {...(!isYes && { c: 'dimmed' })}>
      <Icon size={14} aria-hidden /> {t(isYes ? 'keys.yes' : 'keys.no')}
    </Text>
  )
}
