import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

import { useSetup } from '#data/setup.ts'
import { useWhoami } from '#data/whoami.ts'
import {
  IconCircleCheck,
  IconFingerprint,
  IconHelpCircle,
  IconLogout,
  IconUser,
} from '#kit/icons/index.tsx'
import { Keys } from '#kit/keyboard/keys.tsx'
import { frameKeys } from '#kit/keyboard/shortcuts.ts'
import { version } from '#package.json'
import { t } from '#text/index.ts'
import { label } from '#text/labels.ts'

import { type AccountProps, PrincipalButton } from './account-button.tsx'
import { useLacksPasskey } from './passkey-offer.tsx'
import { useSignOut } from './sign-out.ts'
import { useThemeToggle } from './theme-toggle.ts'

/** The account, the theme, the keyboard help and sign-out. It opens on mount. */
export function AccountMenu({ isCollapsed, onHelp }: AccountProps) {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // The menu returns the focus to what had it before.
    button.current?.focus()
    setOpen(true)
  }, [])
  return (
    <Menu
      opened={isOpen}
      onChange={setOpen}
      position={isCollapsed ? 'right-end' : 'top-start'}
      withinPortal
    >
      <Menu.Target>
        <PrincipalButton ref={button} />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label className="wrap">
          <PrincipalKind />
        </Menu.Label>
        <AccountItems onHelp={onHelp} />
      </Menu.Dropdown>
    </Menu>
  )
}

function PrincipalKind() {
  const { key, person, roles } = useWhoami()
  const role = roles.at(-1)
  if (key !== null) return `${key.name} · ${t('shell.key')}`
  return `${person?.name ?? ''} · ${role === undefined ? t('shell.no-role') : label('role', role)}`
}

/** The way back to Start while something is left to do that the user may do. */
function SetupItem() {
  const navigate = useNavigate()
  const { states, doneCount, count, isLoading } = useSetup()
  const isShown = states.some(({ isDone, isAllowed }) => !isDone && isAllowed)
  if (!isShown || isLoading) return null
  return (
    <Menu.Item
      leftSection={<IconCircleCheck size={16} />}
      onClick={() => void navigate({ to: '/start', search: {} })}
    >
      {t('start.continue', { done: doneCount, count })}
    </Menu.Item>
  )
}

function AccountItems({ onHelp }: Pick<AccountProps, 'onHelp'>) {
  const navigate = useNavigate()
  const signOut = useSignOut()
  const theme = useThemeToggle()
  return (
    <>
      <Menu.Item
        leftSection={<IconUser size={16} />}
        onClick={() => void navigate({ to: '/account', search: {} })}
      >
        {t('shell.account')}
      </Menu.Item>
      <PasskeyItem />
      <SetupItem />
      <Menu.Item leftSection={<theme.Icon size={16} />} onClick={theme.toggle}>
        {theme.name}
      </Menu.Item>
      <Menu.Item
        leftSection={<IconHelpCircle size={16} />}
        rightSection={<Keys keys={frameKeys.help} />}
        onClick={onHelp}
      >
        {t('keyboard.title')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void signOut()}>
        {t('shell.sign-out')}
      </Menu.Item>
      <Menu.Divider />
      <Menu.Label>{t('shell.version', { version })}</Menu.Label>
    </>
  )
}

/** The offer of a passkey stays in the menu when its notice is dismissed. */
function PasskeyItem() {
  const navigate = useNavigate()
  if (!useLacksPasskey(true)) return null
  return (
    <Menu.Item
      leftSection={<IconFingerprint size={16} />}
      onClick={() => void navigate({ to: '/account', search: { create: 'passkey' } })}
    >
      {t('passkeys.create')}
    </Menu.Item>
  )
}
