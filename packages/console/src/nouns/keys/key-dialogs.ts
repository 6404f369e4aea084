import type { Key } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'

import type { KeyAction } from './reasons.ts'

const form = () => import('./key-form.tsx')
const verbs = () => import('./verb-dialogs.tsx')

const dialogs = {
  edit: lazyRouteComponent(form, 'EditKeyDialog'),
  rotate: lazyRouteComponent(verbs, 'RotateDialog'),
  revoke: lazyRouteComponent(verbs, 'RevokeDialog'),
}

export const NewKeyDialog = lazyRouteComponent(form, 'NewKeyDialog')

export type OpenKeyDialog = OpenDialog<KeyAction, Key>

export const useKeyDialogs = () => useDialogs<KeyAction, Key>('key/dialog', dialogs)
