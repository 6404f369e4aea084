import { Code, Table, Text, VisuallyHidden } from '@mantine/core'
import type { Scope } from '@muster/contract'

import { t } from '#text/index.ts'
import { IconCheck, IconX } from '#ui/icons/index.tsx'
import { Section } from '#ui/page.tsx'

import { allScopes, isHeld, scopeTexts } from './scope-texts.ts'

interface Props {
  readonly held: readonly Scope[]
  readonly title?: string
}

/** All scopes, so that the user also sees those that the key lacks. */
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
          {allScopes.map((scope) => (
            <Table.Tr key={scope}>
              <Table.Th scope="row" fw={400}>
                <Code className="wrap">{scope}</Code>
                <Text size="sm" mt={2}>
                  {t(scopeTexts[scope])}
                </Text>
              </Table.Th>
              <Table.Td>
                <YesNo isGranted={isHeld(held, scope)} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  )
}

function YesNo({ isGranted }: { readonly isGranted: boolean }) {
  const Icon = isGranted ? IconCheck : IconX
  return (
    <Text size="sm" style={{ whiteSpace: 'nowrap' }} {...(!isGranted && { c: 'dimmed' })}>
      <Icon size={14} aria-hidden /> {t(isGranted ? 'keys.yes' : 'keys.no')}
    </Text>
  )
}
