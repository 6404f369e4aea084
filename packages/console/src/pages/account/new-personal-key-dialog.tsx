import { NewKeyDialog } from '#nouns/keys/key-form.tsx'
import { t } from '#text/index.ts'

import { createPersonalKey } from './actions.ts'

/** A personal key can have the scopes of its person. */
export function NewPersonalKeyDialog({ onClose }: { readonly onClose: () => void }) {
  return (
    <NewKeyDialog title={t('personal-keys.new')} create={createPersonalKey} onClose={onClose} />
  )
}
