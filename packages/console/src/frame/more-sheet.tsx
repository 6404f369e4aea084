import { Modal } from '@mantine/core'

import { useWhoami } from '#data/whoami.ts'
import { IconSearch } from '#kit/icons/index.tsx'
import { useRestoreFocus } from '#kit/keyboard/restore-focus.ts'
import { t } from '#text/index.ts'

import { AccountButton } from './account-button.tsx'
import type { NavItem } from './navigation.tsx'
import { NavLinks, type SidebarProps } from './sidebar.tsx'

import classes from './bottom-bar.module.css'

interface Props extends Pick<SidebarProps, 'onSearch' | 'onHelp'> {
  readonly items: readonly NavItem[]
  readonly onClose: () => void
}

/** The pages that have no place in the bar of a phone, the search and the account. */
export function MoreSheet({ items, onClose, onSearch, onHelp }: Props) {
  const { workspace } = useWhoami()
  useRestoreFocus()
  const leaveTo = (action: () => void) => () => {
    onClose()
    action()
  }
  return (
    <Modal opened onClose={onClose} title={workspace.name}>
      <div className={classes.sheet}>
        <button type="button" className={classes.search} onClick={leaveTo(onSearch)}>
          <IconSearch size={16} />
          {t('word.search')}
        </button>
        <NavLinks items={items} />
        <AccountButton isCollapsed={false} onHelp={leaveTo(onHelp)} />
      </div>
    </Modal>
  )
}
