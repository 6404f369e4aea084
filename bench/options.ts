import { parseArgs } from 'node:util'

/** The options that `npm run bench` passes on to every benchmark. */
export const { values: options } = parseArgs({
  options: {
    base: { type: 'string' },
    only: { type: 'string' },
    peers: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
    plain: { type: 'string' },
    distributed: { type: 'string' },
  },
  allowPositionals: true,
})
