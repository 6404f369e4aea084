import { Client } from 'pg'
import type { Page } from 'playwright-core'

import { apiOf, type Environment, openPage, type PageSession } from './environment.ts'
import { button, heading } from './steps.ts'

/** The environment at its public URL, whose host name passkeys need. */
export const atPublicUrl = (env: Environment): Environment => ({ ...env, base: env.publicUrl })

/** Steps of people of the workspace of this key, which must manage access. */
export function signInSteps(env: Environment, manager = env.keys.manager) {
  const api = apiOf(env, manager)
  const createLink = (user_id: string) =>
    api.links.create({ params: { user_id }, body: { purpose: 'sign_in' } })
  const addPerson = async (name: string, role?: 'admin' | 'reader') => {
    const person = await api.personnel.create({ body: { name } })
    if (role === undefined) return person
    const { entries } = await api.access.view()
    await api.access.replace({ body: { entries: [...entries, { role, user_id: person.id }] } })
    return person
  }
  /** Opens a page of the console as this person, with a new link. */
  const asPerson = async (user_id: string, path = '/risks'): Promise<PageSession> => {
    const session = await openPage(atPublicUrl(env))
    const { url } = await createLink(user_id)
    await useLink(session.page, url.replace('#', `?back=${encodeURIComponent(path)}#`))
    await declinePasskey(session.page)
    await session.page.getByRole('navigation', { name: 'Main' }).waitFor({ state: 'attached' })
    await session.page.getByRole('heading', { level: 1 }).first().waitFor()
    return session
  }
  return { api, createLink, addPerson, asPerson }
}

/** Opens a one-time link and signs in with it. */
export async function useLink(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await button(page, 'Sign in').click()
}

/** Presses “Not now” on the page that asks administrators for a passkey. */
export async function declinePasskey(page: Page): Promise<void> {
  const question = heading(page, 'Add a passkey')
  const frame = page.getByRole('navigation', { name: 'Main' })
  await question.or(frame).first().waitFor({ state: 'attached' })
  if (await question.isVisible()) await button(page, 'Not now').click()
}

export const accountButton = (page: Page) => page.getByRole('button', { name: /^Account of / })

/** Gives the browser an authenticator that stores passkeys and confirms every request. */
export async function addAuthenticator(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** Makes every session older than the service accepts for changes of access: by 10 minutes. */
export async function ageSessions(env: Environment, minutes = 11): Promise<void> {
  const client = new Client({ connectionString: env.url })
  await client.connect()
  try {
    await client.query(
      'update muster.sessions set authenticated_at = now() - make_interval(mins => $1)',
      [minutes],
    )
  } finally {
    await client.end()
  }
}

/** Binds a person to an account, as a first sign-in at the provider does. */
export async function bindAccount(env: Pick<Environment, 'url'>, name: string): Promise<void> {
  const client = new Client({ connectionString: env.url })
  await client.connect()
  try {
    await client.query(
      `insert into muster.identities (workspace_id, user_id, issuer, subject, created_at)
       select workspace_id, id, 'https://id.example.com/realms/acme', '248289761001', now()
       from muster.people where name = $1`,
      [name],
    )
  } finally {
    await client.end()
  }
}

/** Ends every session. */
export async function deleteSessions(env: Pick<Environment, 'url'>): Promise<void> {
  const client = new Client({ connectionString: env.url })
  await client.connect()
  try {
    await client.query('delete from muster.sessions')
  } finally {
    await client.end()
  }
}
