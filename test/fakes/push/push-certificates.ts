import { generateKeyPairSync } from 'node:crypto'
import forge from 'node-forge'
import { HOUR_MS } from '../../../src/lib/time/spans.ts'

/** An authority, and what it signs; all made when asked, and good for an hour unless told. */
export interface Authority {
  /** PEM. */
  certificate: string
  /** A certificate of a server at localhost and 127.0.0.1. */
  server(): { key: string; cert: string }
  /** A PKCS #12 file in base64. */
  p12(options?: { password?: string; expiresAt?: Date }): string
}

function newKeys() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { key, publicKey: forge.pki.publicKeyFromPem(publicKey.export({ type: 'spki', format: 'pem' }).toString()) }
}

let serial = 1

function unsigned(name: string, publicKey: forge.pki.rsa.PublicKey, expiresAt = new Date(Date.now() + HOUR_MS)) {
  const certificate = forge.pki.createCertificate()
  certificate.publicKey = publicKey
  certificate.serialNumber = String(++serial).padStart(2, '0')
  certificate.validity.notBefore = new Date(Math.min(Date.now(), expiresAt.getTime()) - HOUR_MS)
  certificate.validity.notAfter = expiresAt
  certificate.setSubject([{ name: 'commonName', value: name }])
  return certificate
}

export function makeAuthority(name = 'test authority'): Authority {
  const own = newKeys()
  const ownKey = forge.pki.privateKeyFromPem(own.key)
  const root = unsigned(name, own.publicKey)
  root.setIssuer(root.subject.attributes)
  root.setExtensions([
    { name: 'basicConstraints', cA: true, critical: true },
    { name: 'keyUsage', keyCertSign: true, critical: true },
  ])
  root.sign(ownKey, forge.md.sha256.create())

  function signed(subject: string, extensions: object[], expiresAt?: Date) {
    const { key, publicKey } = newKeys()
    const certificate = unsigned(subject, publicKey, expiresAt)
    certificate.setIssuer(root.subject.attributes)
    certificate.setExtensions(extensions)
    certificate.sign(ownKey, forge.md.sha256.create())
    return { key, certificate }
  }

  return {
    certificate: forge.pki.certificateToPem(root),
    server() {
      const names = [
        { type: 2, value: 'localhost' },
        { type: 7, ip: '127.0.0.1' },
      ]
      const { key, certificate } = signed('localhost', [{ name: 'subjectAltName', altNames: names }])
      return { key, cert: forge.pki.certificateToPem(certificate) }
    },
    p12({ password = 'secret', expiresAt } = {}) {
      const { key, certificate } = signed('Apple Push', [{ name: 'extKeyUsage', clientAuth: true }], expiresAt)
      const options = { algorithm: 'aes256' as const }
      const asn1 = forge.pkcs12.toPkcs12Asn1(forge.pki.privateKeyFromPem(key), [certificate], password, options)
      return Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'binary').toString('base64')
    },
  }
}
