import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser'

import { sendToRoute } from './browser-routes.ts'

/** Whether the browser supports passkeys. Browsers offer them in a secure context only. */
export const supportsPasskeys = () => typeof globalThis.PublicKeyCredential === 'function'

/** The browser returned no passkey. */
export class PasskeyError extends Error {
  override readonly name = 'PasskeyError'
  /** `exists`: the device already has a passkey for the account. */
  readonly reason: 'cancelled' | 'exists'

  constructor(cause: unknown) {
    super('The browser returned no passkey.', { cause })
    const isKnown = cause instanceof Error && cause.name === 'InvalidStateError'
    this.reason = isKnown ? 'exists' : 'cancelled'
  }
}

/** The library loads on first use. */
const library = () => import('@simplewebauthn/browser')

/** Runs a request of the browser, whose errors become a `PasskeyError`. */
async function askBrowser<R>(request: () => Promise<R>): Promise<R> {
  try {
    return await request()
  } catch (error) {
    throw new PasskeyError(error)
  }
}

/** Signs in with a passkey of this workspace, which the user chooses in the browser. */
export async function signInWithPasskey(workspaceId: string): Promise<void> {
  const path = `/sign-in/${encodeURIComponent(workspaceId)}/passkey`
  const options = await sendToRoute(`${path}/options`, { method: 'POST', body: {} })
  const { startAuthentication } = await library()
  // The cast holds because the service makes the options with the same library.
  const optionsJSON = options as PublicKeyCredentialRequestOptionsJSON
  const response = await askBrowser(() => startAuthentication({ optionsJSON }))
  await sendToRoute(path, { method: 'POST', body: { response } })
}

/** Creates a passkey in this browser and registers it for the signed-in person. */
export const createPasskey = (name: string) => registerPasskey('/account/passkeys', { name })

/** Creates a passkey in this browser and registers it for the person of a one-time link. */
export const enrolPasskey = (workspaceId: string, link: string, name: string) =>
  registerPasskey(`/sign-in/${encodeURIComponent(workspaceId)}/link/passkey`, { name, link })

interface Registration {
  readonly name: string
  readonly link?: string
}

async function registerPasskey(path: string, { name, ...proof }: Registration): Promise<void> {
  const options = await sendToRoute(`${path}/options`, { method: 'POST', body: proof })
  const { startRegistration } = await library()
  // The cast holds because the service makes the options with the same library.
  const optionsJSON = options as PublicKeyCredentialCreationOptionsJSON
  const response = await askBrowser(() => startRegistration({ optionsJSON }))
  await sendToRoute(path, { method: 'POST', body: { name, ...proof, response } })
}
