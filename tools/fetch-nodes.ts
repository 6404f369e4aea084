import { fetchNode, findNode } from './system-node.ts'

/** Fetches older releases of Node for the tests. Tests themselves open no connection to others. */
for (const major of [20, 24] as const) if (findNode(major) === null) fetchNode(major)
