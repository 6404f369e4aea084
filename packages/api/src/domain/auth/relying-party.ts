/** The relying party of WebAuthn: creates options for passkeys and verifies their answers. */

import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'

import { uuidOf } from '#storage/values/id'

/** The answer of a browser to registration options. */
export type RegistrationAnswer = RegistrationResponseJSON
/** The answer of a browser to authentication options. */
export type AuthenticationAnswer = AuthenticationResponseJSON

/** EdDSA, ES256 and RS256, which all authenticators offer one of. */
const algorithms = [-8, -7, -257]

/** How long a person may take: as long as the challenge is stored. */
export const challengeMinutes = 5
const timeout = challengeMinutes * 60_000

/** Loaded on first use: it takes longer to load than the rest of the service. */
const library = () => import('@simplewebauthn/server')

/** The origin that browsers report, and the domain that passkeys belong to. */
const expected = (publicUrl: string) => ({
  expectedOrigin: publicUrl,
  expectedRPID: new URL(publicUrl).hostname,
  requireUserVerification: true,
})

interface Registrant {
  readonly userId: string
  readonly userName: string
  readonly displayName: string
  /** The passkeys that the person has, so that no authenticator stores a second one. */
  readonly existing: readonly { credential_id: string; transports: string[] }[]
}

/** A discoverable credential: at sign-in the authenticator itself knows who the person is. */
export async function registrationOptions(publicUrl: string, registrant: Registrant) {
  const { generateRegistrationOptions } = await library()
  return generateRegistrationOptions({
    rpName: 'Muster',
    rpID: new URL(publicUrl).hostname,
    userID: userHandleOf(registrant.userId),
    userName: registrant.userName,
    userDisplayName: registrant.displayName,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: algorithms,
    timeout,
    excludeCredentials: registrant.existing.map(({ credential_id, transports }) => ({
      id: credential_id,
      transports,
    })),
  })
}

/** The new credential; null if the answer is not valid for this challenge. */
export async function verifyRegistration(
  publicUrl: string,
  response: RegistrationAnswer,
  expectedChallenge: string,
) {
  if (await hasCertificates(response)) return null
  const { verifyRegistrationResponse } = await library()
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge,
    ...expected(publicUrl),
    supportedAlgorithmIDs: algorithms,
  }).catch(refused)
  return verified?.registrationInfo?.credential ?? null
}

/**
 * Browsers remove certificates, because the options ask for no attestation. An answer with some is
 * refused before the library sees it: it would load revocation lists from addresses in them.
 */
async function hasCertificates({ response }: RegistrationAnswer): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  try {
    const bytes = Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'))
    const attestation = decodeAttestationObject(bytes)
    const format = attestation.get('fmt')
    if (format === 'none') return false
    return format !== 'packed' || attestation.get('attStmt').get('x5c') !== undefined
  } catch {
    return true
  }
}

export async function authenticationOptions(publicUrl: string) {
  const { generateAuthenticationOptions } = await library()
  const rpID = new URL(publicUrl).hostname
  return generateAuthenticationOptions({ rpID, userVerification: 'required', timeout })
}

interface Authentication {
  readonly challenge: string
  readonly passkey: {
    readonly user_id: string
    readonly credential_id: string
    readonly public_key: Buffer
    readonly counter: number
  }
}

/**
 * The new signature counter; null if the answer is not valid. A counter that did not grow shows a
 * copied authenticator. Authenticators that synchronise passkeys always send 0.
 */
export async function verifyAuthentication(
  publicUrl: string,
  response: AuthenticationAnswer,
  { challenge, passkey }: Authentication,
): Promise<number | null> {
  const handle = Buffer.from(userHandleOf(passkey.user_id)).toString('base64url')
  if (response.response.userHandle !== handle) return null
  const { verifyAuthenticationResponse } = await library()
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    ...expected(publicUrl),
    credential: {
      id: passkey.credential_id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: passkey.counter,
    },
  }).catch(refused)
  return verified?.verified ? verified.authenticationInfo.newCounter : null
}

/** The library throws for every invalid answer. The reason is of no use to the browser. */
const refused = () => null

/** The user handle of WebAuthn: the user id, which is no personal data. */
const userHandleOf = (userId: string) =>
  Uint8Array.from(Buffer.from(uuidOf(userId).replaceAll('-', ''), 'hex'))
