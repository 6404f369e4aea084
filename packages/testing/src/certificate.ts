import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'

import { atEnd } from './at-end.ts'

/** A key with a self-signed certificate, in PEM, and the file of the certificate. */
export interface Certificate {
  readonly key: string
  readonly cert: string
  readonly certFile: string
}

/** Creates a certificate for these names, such as `DNS:localhost` or `IP:127.0.0.1`. */
export function createCertificate(...names: string[]): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'muster-certificate-'))
  atEnd(async () => rmSync(folder, { recursive: true }))
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  const subject = ['-subj', '/CN=muster', '-addext', `subjectAltName=${names.join()}`]
  const files = ['-keyout', keyFile, '-out', certFile]
  execFileSync('openssl', ['req', '-x509', ...kind, ...subject, ...files], { stdio: 'ignore' })
  return { key: readFileSync(keyFile, 'utf8'), cert: readFileSync(certFile, 'utf8'), certFile }
}

/** This process trusts the certificate from now on, as with NODE_EXTRA_CA_CERTS. */
export function trustCertificate({ cert }: Certificate): void {
  setDefaultCACertificates([...getCACertificates('default'), cert])
}
