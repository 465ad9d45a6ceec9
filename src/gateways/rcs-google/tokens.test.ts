import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { describe, it } from 'node:test'
import { startRbmPeer } from '#test/fakes/rcs/rbm-peer.ts'
import { makeServiceAccount, openTokenEndpoint } from '#test/fakes/rcs/rbm-peer-oauth.ts'
import { eventually } from '#test/support/wait.ts'
import { parseServiceAccountKey } from '../../lib/crypto/credentials/service-account.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { signGoogleAssertion } from '../google/assertion.ts'
import { createSharedTokenSources, createTokenSource } from '../requests/tokens.ts'
import { callGoogleRcs, GOOGLE_RCS_SCOPE, openGoogleRcsApi } from './api.ts'
import { readRcsGoogleConfig } from './settings.ts'

const file = makeServiceAccount()
const account = parseServiceAccountKey(file)
const tokenUrl = 'https://oauth2.googleapis.com/token'

const form = (assertion: string) =>
  new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString()

describe('token assertions (RFC 7523)', () => {
  it('name the account, scope and endpoint, last an hour and are signed with RS256', async () => {
    const assertion = await signGoogleAssertion(
      account,
      { tokenUrl, scope: GOOGLE_RCS_SCOPE },
      Date.UTC(2026, 2, 1, 9) + 999,
    )
    const [head = '', claims = '', signature = ''] = assertion.split('.')
    const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
    assert.deepEqual(read(head), { alg: 'RS256', typ: 'JWT', kid: file.private_key_id })
    const iat = Date.UTC(2026, 2, 1, 9) / 1000
    assert.deepEqual(read(claims), {
      scope: GOOGLE_RCS_SCOPE,
      iss: file.client_email,
      aud: tokenUrl,
      iat,
      exp: iat + 3600,
    })
    const key = createPublicKey(file.private_key)
    assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), key, Buffer.from(signature, 'base64url')))
  })

  it('are accepted by a strict endpoint only with the right key, audience and time', async () => {
    const endpoint = openTokenEndpoint(file, () => tokenUrl)
    const stranger = parseServiceAccountKey({ ...makeServiceAccount(), private_key_id: file.private_key_id })
    const now = Date.now()
    const given = [
      await signGoogleAssertion(account, { tokenUrl, scope: GOOGLE_RCS_SCOPE }, now),
      await signGoogleAssertion(stranger, { tokenUrl, scope: GOOGLE_RCS_SCOPE }, now),
      await signGoogleAssertion(account, { tokenUrl: 'https://other.example/token', scope: GOOGLE_RCS_SCOPE }, now),
      await signGoogleAssertion(account, { tokenUrl, scope: GOOGLE_RCS_SCOPE }, now - 3_700_000),
      await signGoogleAssertion(account, { tokenUrl, scope: GOOGLE_RCS_SCOPE }, now + 3_700_000),
    ]
    assert.deepEqual(
      given.map((assertion) => endpoint.answer(form(assertion), 'application/x-www-form-urlencoded').status),
      [200, 400, 400, 400, 400],
    )
    assert.deepEqual(
      endpoint.requests.map(({ why }) => why?.replace(/:.*/, '')),
      [undefined, 'is signed wrongly', 'has another audience', 'is not of this time', 'is not of this time'],
    )
  })
})

describe('access tokens', () => {
  function source(lifetimeSeconds = 3600) {
    let now = 0
    let asked = 0
    const held: (() => void)[] = []
    const tokens = createTokenSource(
      async () => {
        asked++
        const value = `token-${asked}`
        await new Promise<void>((resolve) => held.push(resolve))
        return { value, lifetimeSeconds }
      },
      { now: () => now },
    )
    async function give(): Promise<void> {
      await eventually(() => held.length > 0)
      for (const go of held.splice(0)) go()
    }
    return { tokens, give, asked: () => asked, pass: (ms: number) => (now += ms) }
  }

  it('are retained until a minute before they expire', async () => {
    const { tokens, give, pass, asked } = source()
    const first = tokens.current()
    await give()
    assert.equal(await first, 'token-1')
    pass(3_539_999)
    assert.deepEqual([await tokens.current(), asked()], ['token-1', 1])
    pass(1)
    const second = tokens.current()
    await give()
    assert.equal(await second, 'token-2')
  })

  it('are requested once for all waiting callers, and once more for all refused ones', async () => {
    const { tokens, give, asked } = source()
    const waiting = Array.from({ length: 50 }, () => tokens.current())
    await give()
    assert.deepEqual([new Set(await Promise.all(waiting)), asked()], [new Set(['token-1']), 1])
    const renewed = Array.from({ length: 50 }, () => tokens.renewed('token-1'))
    await give()
    assert.deepEqual([new Set(await Promise.all(renewed)), asked()], [new Set(['token-2']), 2])
    assert.deepEqual([await tokens.renewed('token-1'), asked()], ['token-2', 2])
  })

  it('are requested again after a failure', async () => {
    let asked = 0
    const tokens = createTokenSource(async () => {
      if (++asked === 1) throw new Error('no')
      return { value: 'token', lifetimeSeconds: 60 }
    }, systemClock)
    await assert.rejects(() => tokens.current(), /no/)
    assert.equal(await tokens.current(), 'token')
  })

  it('are shared by the gateways of a service account and outlive each of them', async () => {
    const peer = await startRbmPeer()
    const read = readRcsGoogleConfig(
      { agent: 'orchard', baseUrl: peer.url, tokenUrl: `${peer.url}/token` },
      { credentials: JSON.stringify(peer.account) },
    )
    const context = { clock: systemClock, reach: createOutboundPolicy([peer.host]), tokens: createSharedTokenSources() }
    try {
      for (const _ of [1, 2, 3]) {
        const apis = [openGoogleRcsApi(read, context), openGoogleRcsApi(read, context)]
        const replies = await Promise.all(apis.map((api) => callGoogleRcs(api, { method: 'GET', path: '/' })))
        assert.deepEqual(
          replies.map((reply) => reply.kind === 'answered' && reply.status),
          [404, 404],
        )
        for (const { transport } of apis) transport.close()
      }
      assert.equal(peer.tokens.requests.length, 1)
    } finally {
      await peer.close()
    }
  })
})
