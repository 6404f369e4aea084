import { limits, type Rates } from '@muster/contract'

export interface LimitDefinition {
  readonly name: string
  readonly perMinute: number
  /** The detail of the problem when the limit is exceeded. */
  readonly detail: string
}

/** Each limit: its name in headers and problems, its number, and the detail of the problem. */
export const limitDefinitions = ({ key, workspace, failures }: Rates) => ({
  key: {
    name: 'key',
    perMinute: key,
    detail: `This key exceeded its limit of ${key} requests a minute.`,
  },
  workspace: {
    name: 'workspace',
    perMinute: workspace,
    detail: `The keys of this workspace exceeded their limit of ${workspace} requests a minute.`,
  },
  address: {
    name: 'address',
    perMinute: failures,
    detail: `Authentication failed with ${failures} different credentials from your IP address.`,
  },
  signIn: {
    name: 'sign_in',
    perMinute: failures * limits.perFailure.signIn,
    detail: 'Your IP address sent too many requests to sign in within a minute.',
  },
  page: {
    name: 'sign_in_page',
    perMinute: failures * limits.perFailure.signInPage,
    detail: 'Your IP address read the sign-in page too often within a minute.',
  },
  credential: {
    name: 'key',
    perMinute: failures,
    detail: `This credential was refused ${failures} times within a minute. Replace it.`,
  },
})
