import { whoami } from '#domain/keys'

import type { Handlers } from './bind.ts'

export const keys: Handlers['keys'] = {
  whoami: (caller) => whoami(caller),
}
