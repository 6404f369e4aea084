import { Text } from '@mantine/core'

import { t } from '#text/index.ts'

import { NamedInText } from './named-in-text.tsx'

/** Leads to whoever has it already: they may be the same person. */
export function ConflictingPerson({ userId }: { readonly userId: string | null }) {
  if (userId === null) return null
  return (
    <Text size="sm">
      {t('person.conflicting')} <NamedInText userId={userId} />
    </Text>
  )
}
