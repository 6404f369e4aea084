import { setNonce } from 'get-nonce'

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
const value = meta?.nonce ?? ''

// The kit's dialogs hold the page still by a style element of their own.
if (value !== '') setNonce(value)

/** What the page's own style elements must carry; the service makes a new one for every page. */
export const nonce = () => value
