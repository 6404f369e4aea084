/** A request to the service, which must succeed. */
export interface Call {
  readonly base: string
  readonly token: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: object
}

export async function call({ base, token, path, headers = {}, body }: Call): Promise<Response> {
  const reply = await fetch(base + path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (reply.status >= 400) throw new Error(`${path} answered ${reply.status}`)
  return reply
}

/** The id of the created resource. */
export async function create(request: Call): Promise<string> {
  const { id } = (await (await call(request)).json()) as { id: string }
  return id
}

const batchRows = 1000

/** Creates a project with `count` risks that have an owner, a description and tags. */
export async function fill(base: string, token: string, count: number): Promise<string> {
  const owner = await create({ base, token, path: '/v1/personnel', body: { name: 'Ada Lind' } })
  const project = { code: 'DAM', name: 'Norrfors dam renewal' }
  const id = await create({ base, token, path: '/v1/projects', body: project })
  for (let from = 0; from < count; from += batchRows) {
    const data = Array.from({ length: Math.min(batchRows, count - from) }, (_, index) => ({
      title: `Risk number ${from + index} of the site review`,
      description: 'Found at the weekly inspection of the upstream face. '.repeat(6),
      likelihood: 1 + (index % 5),
      impact: 1 + (Math.floor(index / 5) % 5),
      owner_user_id: owner,
      tags: ['dam', 'review'],
    }))
    await call({ base, token, path: `/v1/projects/${id}/risks/batch`, body: { data } })
  }
  return id
}
