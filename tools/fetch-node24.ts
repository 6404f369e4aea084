import { fetchNode24, findNode24 } from './system-node.ts'

/** Fetches Node 24 for `tools/platforms.test.ts`. Tests themselves open no connection to others. */
if (findNode24() === null) fetchNode24()
