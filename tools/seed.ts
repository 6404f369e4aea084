import { openOwner, seed, demoWorkspace } from '@muster/api/seed'

/** `npm run seed`: creates the demo workspace in the database of DATABASE_URL. */
const url = process.env['DATABASE_URL']
if (!url) throw new Error('Set DATABASE_URL: DATABASE_URL=postgres://… npm run seed')

await using database = openOwner(url)
const { workspaceId, isNew } = await seed(database)
console.error(
  isNew
    ? `Created the workspace ${demoWorkspace} (${workspaceId}).`
    : `The workspace ${demoWorkspace} (${workspaceId}) already exists and was not changed.`,
)
