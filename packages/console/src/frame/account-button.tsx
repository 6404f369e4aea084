import { lazyRouteComponent } from '@tanstack/react-router'
import { type ComponentProps, Suspense, useState } from 'react'

import { useWhoami } from '#data/whoami.ts'
import { IconKey, IconUser } from '#kit/icons/index.tsx'
import { t } from '#text/index.ts'

import classes from './sidebar.module.css'

const AccountMenu = lazyRouteComponent(() => import('./account-menu.tsx'), 'AccountMenu')
const load = () => void AccountMenu.preload?.()

export interface AccountProps {
  readonly isCollapsed: boolean
  readonly onHelp: () => void
}

/** Opens the menu of the account, which loads on first use. */
export function AccountButton(props: AccountProps) {
  const [isUsed, setUsed] = useState(false)
  const button = (
    <PrincipalButton onClick={() => setUsed(true)} onPointerEnter={load} onFocus={load} />
  )
  if (!isUsed) return button
  return (
    <Suspense fallback={button}>
      <AccountMenu {...props} />
    </Suspense>
  )
}

/** The name of the signed-in person or key. */
export function PrincipalButton(props: ComponentProps<'button'>) {
  const { person, key } = useWhoami()
  const name = key?.name ?? person?.name ?? ''
  const Icon = key === null ? IconUser : IconKey
  return (
    <button
      type="button"
      className={classes.item}
      aria-label={t('shell.account.of', { name })}
      aria-haspopup="menu"
      {...props}
    >
      <Icon size={16} />
      <span className={classes.text}>{name}</span>
    </button>
  )
}
