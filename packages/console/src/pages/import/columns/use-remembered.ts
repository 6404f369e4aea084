import { useLocalStorage } from '@mantine/hooks'

import { useWhoami } from '#data/whoami.ts'

import {
  forgetColumns,
  recallColumns,
  rememberColumns,
  type RememberedColumns,
  type RememberedFile,
} from './remembered.ts'

/** The columns of files that this principal imported before, in this browser. */
export function useRememberedColumns(file: RememberedFile) {
  const { workspace, person, key } = useWhoami()
  const [all, setAll] = useLocalStorage<readonly RememberedColumns[]>({
    key: `muster.import.${workspace.id}.${person?.user_id ?? key?.id ?? ''}`,
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  return {
    recalled: recallColumns(all, file),
    remember: (columns: Omit<RememberedColumns, keyof RememberedFile>) =>
      setAll((before) => rememberColumns(before, { ...file, ...columns })),
    forget: () => setAll((before) => forgetColumns(before, file)),
  }
}
