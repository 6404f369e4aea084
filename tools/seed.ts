import { openOwner, seed, storyWorkspace } from '@muster/api/seed'

/** `npm run seed`: puts the story into the database that DATABASE_URL names. */
const url = process.env['DATABASE_URL']
if (!url) throw new Error('Say which database: DATABASE_URL=postgres://… npm run seed')

await using database = openOwner(url)
const { workspaceId, isNew } = await seed(database)
console.error(
  isNew
    ? `Made the workspace ${storyWorkspace} (${workspaceId}).`
    : `The workspace ${storyWorkspace} (${workspaceId}) is there already, and left as it is.`,
)
