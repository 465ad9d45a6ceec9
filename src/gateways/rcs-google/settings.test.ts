import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync } from 'node:crypto'
import { describe, it } from 'node:test'
import { makeServiceAccount } from '#test/fakes/rcs/rbm-peer-oauth.ts'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { fingerprintGoogleAccount } from '../google/fingerprint.ts'
import { readRcsGoogleConfig } from './settings.ts'

const file = makeServiceAccount()

const pointerOf = (work: () => unknown): string | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    assert.ok(error instanceof Problem && error.status === 400)
    assert.doesNotMatch(JSON.stringify([error.message, error.errors]), /PRIVATE KEY|sender@/)
    return error.errors?.[0]?.pointer
  }
}

describe('service accounts', () => {
  it('are read from an object or from text and identified by a fingerprint', () => {
    const account = parseServiceAccountKey(file)
    assert.deepEqual(parseServiceAccountKey(JSON.stringify(file)), account)
    const hash = createHash('sha256').update(`${file.client_email}\n${file.private_key}`).digest('hex')
    assert.equal(fingerprintGoogleAccount(account), hash.slice(0, 16))
  })

  it('require an email address and a 2048-bit RSA key in PKCS #8', () => {
    const pkcs1 = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs1',
      format: 'pem',
    })
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' })
    const wrong: [unknown, string][] = [
      ['{', '/credentials'],
      [null, '/credentials'],
      [{ ...file, client_email: 'sender@' }, '/credentials/client_email'],
      [{ ...file, private_key: 'x' }, '/credentials/private_key'],
      [{ ...file, private_key: undefined }, '/credentials/private_key'],
      [{ ...file, private_key: pkcs1 }, '/credentials/private_key'],
      [{ ...file, private_key: ec }, '/credentials/private_key'],
      [makeServiceAccount('sender@project.example', 1024), '/credentials/private_key'],
    ]
    for (const [given, pointer] of wrong)
      assert.equal(
        pointerOf(() => parseServiceAccountKey(given)),
        pointer,
      )
  })
})

describe('settings of RCS Business Messaging', () => {
  const secrets = { credentials: JSON.stringify(file) }

  it('have defaults for everything except the agent', () => {
    assert.deepEqual(readRcsGoogleConfig({ agent: 'orchard_fr_k2' }, secrets).settings, {
      agent: 'orchard_fr_k2',
      region: null,
      baseUrl: null,
      tokenUrl: null,
      speed: 100,
      concurrency: 50,
    })
  })

  it('are refused with a pointer to the fault', () => {
    const faults = [
      [{}, secrets],
      [{ agent: 'no agent' }, secrets],
      [{ agent: 'a', region: 'mars' }, secrets],
      [{ agent: 'a', baseUrl: 'ftp://rbm.example' }, secrets],
      [{ agent: 'a', tokenUrl: 'https://user:secret@rbm.example/token' }, secrets],
      [{ agent: 'a', speed: 5001 }, secrets],
      [{ agent: 'a' }, undefined],
      [{ agent: 'a' }, { credentials: '{}' }],
    ].map(([settings, kept]) => pointerOf(() => readRcsGoogleConfig(settings, kept)))
    assert.deepEqual(faults, [
      '',
      '/agent',
      '/region',
      '/baseUrl',
      '/tokenUrl',
      '/speed',
      '/secrets',
      '/secrets/credentials/client_email',
    ])
  })
})
