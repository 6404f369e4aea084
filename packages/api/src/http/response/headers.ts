/** Security headers of every response. Pages replace the Content-Security-Policy. */
export const securityHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-content-type-options': 'nosniff',
}

/** The headers of every response to a request that was parsed. */
export const commonHeaders = (requestId: string, traceparent: string) => ({
  'request-id': requestId,
  traceparent,
  ...securityHeaders,
})

/** Further headers of every HTML page. */
export const documentHeaders = {
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': [
    'camera=()',
    'display-capture=()',
    'geolocation=()',
    'microphone=()',
    'payment=()',
    'publickey-credentials-create=(self)',
    'publickey-credentials-get=(self)',
    'usb=()',
  ].join(', '),
}
