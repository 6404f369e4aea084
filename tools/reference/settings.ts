import { type Config, type Setting, settings } from '@muster/api/config'
import { limits } from '@muster/contract'

import { code, page, table } from './markdown.ts'

/** The meaning of every setting. The compiler reports a missing and a superfluous one. */
const meanings: Readonly<Record<keyof Config, string>> = {
  DATABASE_URL:
    'The login of the schema owner. Optional for a service with `DATABASE_SERVICE_URL`. Without ' +
    'that, the service uses it too and switches to its own role on every connection.',
  DATABASE_SERVICE_URL:
    'The login of the service, a member of `muster_app`, if the service must not have the ' +
    'credential of the owner.',
  DATABASE_POOL_MAX:
    'Database connections of one process. Three requests for each are in progress.',
  WORKERS:
    '`on`: this process does background work, such as flags that change with the date. `off`: it ' +
    'serves requests only. At least one process must have `on`.',
  SWEEP_SECONDS:
    'How often a process looks for background work that is due, in seconds; at random between two ' +
    'thirds and four thirds of it.',
  RATE_LIMIT_KEY: 'Requests a minute of one key.',
  RATE_LIMIT_WORKSPACE: 'Requests a minute of all keys of a workspace.',
  RATE_LIMIT_FAILURES:
    'Failed authentications a minute, of one credential and of different ones from one IP address. ' +
    `An address may send ${limits.perFailure.signIn} times as many requests to sign in, and read ` +
    `the sign-in page ${limits.perFailure.signInPage} times as often.`,
  REDIS_URL:
    'Redis for rate limits that processes share. Without it each process counts for itself.',
  REDIS_PREFIX: 'Prefix of the counters in Redis.',
  RESPONSE_MEMORY_MIB:
    'Memory of one process for responses, in MiB. One half is for pages and rows that were read ' +
    'before: they are sent from memory only while the data has not changed, and dropped after ten ' +
    'minutes without use. The other half is for complete lists that are being sent; longer ones ' +
    'are in a temporary file. With 0 every page is read again.',
  TRUSTED_PROXIES:
    'Proxies whose `X-Forwarded-For`, `X-Forwarded-Host` and `X-Forwarded-Proto` are trusted. ' +
    'Behind a proxy that is not named here, all clients count as one address when failed ' +
    'authentications are limited.',
  EGRESS_ALLOW:
    'Destinations that a workspace may configure although they are not on the internet, such as an ' +
    'identity provider in your network. A host name allows all its addresses. Without an entry, ' +
    'the service connects for a workspace only to public addresses, and only with TLS.',
  SECRETS_KEY:
    'Keys that encrypt the client secrets of identity providers (AES-256-GCM). The first key ' +
    'encrypts, every key decrypts. Create one with `openssl rand -base64 32`. To rotate, put a new ' +
    'key first, restart, run `npm run admin -- secrets rotate`, and remove the old key. Without a ' +
    'key no identity provider can be configured.',
  DRAIN_SECONDS:
    'Seconds after SIGTERM in which `/readyz` is 503 and connections are still accepted.',
  HOST: 'The IP address to listen on.',
  PORT: 'The port to listen on. Zero: any free port.',
  PUBLIC_URL:
    'The origin at which browsers reach the service. Sign-in links and the redirect URI of the ' +
    'identity provider start with it, and passkeys belong to its host name: after a change of ' +
    'the host name they no longer work. Without it: `http://localhost:PORT`.',
  METRICS_PORT:
    'Port of `/metrics` on `HOST`. Without it metrics are off. They need no key: let only ' +
    'Prometheus reach this port.',
  LOG_LEVEL: 'Least severe level that is logged. The log is one JSON line a request on stdout.',
  CORS_ORIGINS: 'Origins whose pages may call `/v1` with a key from a browser.',
  SECURITY_CONTACT:
    'Contact for vulnerability reports in `/.well-known/security.txt`. Without it the contact is ' +
    'the page `/security`.',
}

function valueOf({ isRequired, fallback }: Setting): string {
  if (isRequired) return 'none, required'
  return fallback === null || fallback === '' ? 'none' : code(fallback)
}

export const settingsPage = () =>
  page(
    '# Settings',
    'The service and its commands are configured by these environment variables. An invalid value ends\n' +
      'the start with one line that names the setting, its valid values and an example.',
    table(
      ['setting', 'default', 'values'],
      settings.map((setting) => [
        `[${code(setting.name)}](#${setting.name.toLowerCase()})`,
        valueOf(setting),
        setting.values,
      ]),
    ),
    ...settings.flatMap((setting) => [
      `## ${setting.name}`,
      meanings[setting.name],
      `Default: ${valueOf(setting)}. Values: ${setting.values}.`,
      `\`\`\`sh\n${setting.name}=${setting.example}\n\`\`\``,
    ]),
  )
