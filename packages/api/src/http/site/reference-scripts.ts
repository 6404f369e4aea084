/**
 * The script of the page that has the API reference. Scalar, which third parties wrote, runs in a
 * sandboxed frame with an origin of its own. The page sends the requests of the frame without
 * cookies, so that a request has only the key that the reader typed.
 */
export const pageScript = `const frame = document.querySelector('iframe')
const origin = location.origin
const isAllowed = ({ origin: own, pathname }) =>
  own === origin && (pathname === '/openapi.json' || pathname.startsWith('/v1/'))

async function send({ url, method, headers, body }) {
  const address = new URL(url, origin)
  if (!isAllowed(address)) throw new Error('The reference calls only this API.')
  const response = await fetch(address, {
    method,
    headers,
    body,
    credentials: 'omit',
    redirect: 'error',
  })
  return {
    status: response.status,
    statusText: response.statusText,
    headers: [...response.headers],
    body: await response.arrayBuffer(),
  }
}

async function answer({ id, request }) {
  try {
    return { id, response: await send(request) }
  } catch (error) {
    return { id, error: String(error) }
  }
}

addEventListener('message', async ({ source, data }) => {
  if (source !== frame.contentWindow) return
  if (typeof data.hash === 'string') {
    if (isOperation(data.hash)) history.replaceState(null, '', location.pathname + data.hash)
    return
  }
  // The frame has no origin that could be named. Only pages of this service load in it.
  frame.contentWindow.postMessage(await answer(data), '*')
})

// Other anchors are those of the introduction.
const isOperation = (hash) => hash.startsWith('#tag/')
function open() {
  if (!isOperation(location.hash)) return
  frame.src = '/docs/api/frame' + location.hash
  frame.scrollIntoView()
}
addEventListener('hashchange', open)
frame.src = '/docs/api/frame'
open()
`

/**
 * The frame, before Scalar loads: requests go to the page, the address of the page follows that of
 * the frame, and storage lasts as long as the frame, because a sandboxed frame has none.
 */
export const frameScript = `const waiting = new Map()
let last = 0

addEventListener('message', ({ source, data }) => {
  if (source !== parent) return
  const { resolve, reject } = waiting.get(data.id) ?? {}
  waiting.delete(data.id)
  if (data.error) reject?.(new TypeError(data.error))
  else resolve?.(data.response)
})

globalThis.fetch = async (input, init) => {
  const request = new Request(input, init)
  const hasBody = !['GET', 'HEAD'].includes(request.method)
  const sent = {
    url: request.url,
    method: request.method,
    headers: [...request.headers],
    body: hasBody ? await request.arrayBuffer() : null,
  }
  const id = ++last
  const answered = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }))
  parent.postMessage({ id, request: sent }, location.origin)
  const { status, statusText, headers, body } = await answered
  const isEmpty = [204, 205, 304].includes(status)
  return new Response(isEmpty ? null : body, { status, statusText, headers })
}

const tellHash = () => parent.postMessage({ hash: location.hash }, location.origin)
for (const name of ['pushState', 'replaceState']) {
  const change = history[name].bind(history)
  history[name] = (...args) => {
    change(...args)
    tellHash()
  }
}
addEventListener('hashchange', tellHash)

function memoryStorage() {
  const items = new Map()
  return {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, String(value)),
    removeItem: (key) => void items.delete(key),
    clear: () => items.clear(),
    key: (index) => [...items.keys()][index] ?? null,
    get length() {
      return items.size
    },
  }
}
for (const name of ['localStorage', 'sessionStorage']) {
  Object.defineProperty(globalThis, name, { value: memoryStorage() })
}
`

/** These settings disable every feature of Scalar that would contact another server. */
export const startScript = `Scalar.createApiReference('#reference', {
  url: '/openapi.json',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  authentication: { preferredSecurityScheme: 'key' },
})
`
