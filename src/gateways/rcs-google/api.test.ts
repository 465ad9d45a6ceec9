import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { startRbmPeer } from '#test/fakes/rcs/rbm-peer.ts'
import { createOutboundPolicy } from '../../lib/net/guarded-client.ts'
import { systemClock } from '../../lib/time/clock.ts'
import { callGoogleRcs, getGoogleRcsHost, openGoogleRcsApi } from './api.ts'
import { readRcsGoogleConfig } from './settings.ts'

const fixture = (name: string) => readFileSync(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url), 'utf8')
const tls = { key: fixture('test-only-key.pem'), cert: fixture('test-only-cert.pem') }

describe('calls to RCS Business Messaging', () => {
  it('time out without a response, and the next call uses another connection', async () => {
    const peer = await startRbmPeer({ tls })
    const settings = { agent: 'orchard', baseUrl: peer.url, tokenUrl: `${peer.url}/token`, ca: tls.cert }
    const read = readRcsGoogleConfig(settings, { credentials: JSON.stringify(peer.account) })
    const api = openGoogleRcsApi(read, { clock: systemClock, reach: createOutboundPolicy([peer.host]) }, 1000)
    try {
      await callGoogleRcs(api, { method: 'GET', path: '/' })
      peer.book.plan('*', { how: 'stall' })
      const reply = await callGoogleRcs(api, { method: 'GET', path: '/' })
      assert.deepEqual(reply, { kind: 'unanswered', reason: 'no answer within 1 s' })
      assert.equal((await callGoogleRcs(api, { method: 'GET', path: '/' })).kind, 'answered')
      const [, first, stalled, next] = peer.seen.map(({ connection }) => connection)
      assert.equal(first, stalled)
      assert.notEqual(next, stalled)
    } finally {
      api.transport.close()
      await peer.close()
    }
  })

  it('use the host of their region or the global host', () => {
    assert.deepEqual(
      [null, 'us' as const, 'europe' as const, 'asia' as const].map(getGoogleRcsHost),
      ['', 'us-', 'europe-', 'asia-'].map((prefix) => `https://${prefix}rcsbusinessmessaging.googleapis.com`),
    )
  })
})
