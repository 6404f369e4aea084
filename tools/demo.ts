import { demoWorkspace, makeDemoKeys, makeDemoLinks, openOwner, seed } from '@muster/api/seed'

/**
 * The command of the image target `demo`: seeds the database of DATABASE_URL and prints how to sign
 * in. The argument is the address of the service. Each run revokes the keys of the run before.
 */
const [address = 'http://127.0.0.1:8080'] = process.argv.slice(2)
const url = process.env['DATABASE_URL']
if (!url) throw new Error('Set DATABASE_URL to the database of the service.')

await using database = openOwner(url)
const { workspaceId } = await seed(database)
const { manager, reader } = await makeDemoKeys(database, workspaceId)
const links = await makeDemoLinks(database, { workspaceId, publicUrl: address })
console.log(`
Muster with the demo workspace ${demoWorkspace}.
Open this link to sign in as the head of geotechnics (it works once):
  ${links.person}

Or as the director of projects, an administrator (it works once):
  ${links.administrator}

  The console    ${address}/
  The reference  ${address}/docs

Keys:
  manager (read and write)  ${manager}
  reader (read only)        ${reader}

Try:
  KEY=${reader}
  curl -s -H "Authorization: Bearer $KEY" "${address}/v1/risks?limit=3"
`)
