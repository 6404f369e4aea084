import type { Authenticator } from '#domain/auth/authenticate'

/** The principal: the holder of the key or session that passed authentication. */
export type Principal = Awaited<ReturnType<Authenticator['authenticate']>>
