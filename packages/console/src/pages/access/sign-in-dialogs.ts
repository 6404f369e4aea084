import type { IdentityChange } from '@muster/contract'
import { lazyRouteComponent } from '@tanstack/react-router'

import { type OpenDialog, useDialogs } from '#kit/form/dialogs.tsx'

/** A person on the list of access, or on their own page. */
export interface SignInPerson {
  readonly id: string
  readonly name: string
  readonly identity_change?: IdentityChange | null
}

const file = () => import('./person-dialogs.tsx')

const dialogs = {
  link: lazyRouteComponent(() => import('./link-dialog.tsx'), 'LinkDialog'),
  end: lazyRouteComponent(file, 'EndSessionsDialog'),
  confirm: lazyRouteComponent(file, 'ConfirmIdentityDialog'),
}

export type SignInAction = keyof typeof dialogs

export type OpenSignInDialog = OpenDialog<SignInAction, SignInPerson>

/** How a person signs in: links, sessions and a changed identity. */
export const useSignInDialogs = () => useDialogs('access/sign-in', dialogs)
