import { setNonce } from 'get-nonce'

const meta = document.querySelector<HTMLMetaElement>('meta[property="csp-nonce"]')
const value = meta?.nonce ?? ''

// For the style element of react-remove-scroll, which the dialogs of Mantine use.
if (value !== '') setNonce(value)

/** The nonce that the CSP requires of style elements. The service makes a new one per page. */
export const nonce = () => value
