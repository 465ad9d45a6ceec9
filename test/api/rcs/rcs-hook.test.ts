import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { sql } from 'kysely'
import { Registry } from 'prom-client'
import { buildApiServer } from '../../../src/app.ts'
import { REPLACED_WEBHOOK_MS } from '../../../src/features/rcs-profiles/webhook-tokens.ts'
import { createLogger } from '../../../src/log.ts'
import { postEvent, postHandshake, rbmEvents, webhookRequest } from '../../fakes/rcs/rbm-peer-webhook.ts'
import { startHarness } from '../../support/harness.ts'
import { AGENT, CLIENT_TOKEN, reporter, startHookStage } from '../../support/stages/rcs-hook.ts'

const harness = await startHarness()
const { call, clock, context, other, registry } = harness
const { db } = context
const stage = await startHookStage(harness)
const profile = await stage.makeProfile()
const rbm = reporter(profile.url)

/** What is stored of RCS: events, and reports that wait. */
async function stored(): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select (select count(*) from events where channel = 'rcs')::integer + (select count(*) from rcs_inbox)::integer as n`.execute(
    db,
  )
  return rows[0]!.n
}

/** What a metric counts, by its labels as written. */
async function counted(metric: string): Promise<number> {
  const text = await registry.metrics()
  const line = text.split('\n').find((one) => one.startsWith(`${metric} `))
  return line === undefined ? 0 : Number(line.slice(metric.length + 1))
}

/** Asserts that nothing is stored meanwhile. */
async function storesNothing(work: () => Promise<unknown>): Promise<void> {
  const before = await stored()
  await work()
  assert.equal(await stored(), before)
}

async function post(body: string | Buffer, headers: Record<string, string> = {}, url = profile.url) {
  const answer = await fetch(url, { method: 'POST', body, headers })
  return { status: answer.status, text: await answer.text() }
}

const outcome = (name: string) => counted(`stentor_rcs_webhook_requests_total{outcome="${name}"}`)

suite('the RCS webhook address', () => {
  test('answers 404 without a body for another token, whatever was sent', async () => {
    const signed = webhookRequest(rbmEvents.user('SUBSCRIBE', { agentId: AGENT, senderPhoneNumber: '+33601020304' }), {
      clientToken: CLIENT_TOKEN,
    })
    await storesNothing(async () => {
      for (const token of ['x', 'A'.repeat(32), `${profile.url.split('/').at(-1)}x`, 'ü'])
        assert.deepEqual(await post(signed.body, signed.headers, `${stage.origin}/hooks/rcs/${token}`), {
          status: 404,
          text: '',
        })
    })
    assert.equal((await post('x'.repeat(300_000), {}, `${stage.origin}/hooks/rcs/${'B'.repeat(32)}`)).status, 404)
  })

  test('works for exactly 8 days after it is replaced', async () => {
    const old = await stage.makeProfile()
    const { body } = await call('POST', `/channel/rcs/profiles/${old.id}/token`)
    const present = stage.origin + new URL(body.webhook.url).pathname
    const now = clock.now()
    try {
      for (const [after, status] of [
        [0, 200],
        [REPLACED_WEBHOOK_MS - 1, 200],
        [REPLACED_WEBHOOK_MS, 404],
      ] as const) {
        clock.set(now + after)
        assert.equal((await postHandshake(old.url, CLIENT_TOKEN, 's')).status, status)
        assert.equal((await postHandshake(present, CLIENT_TOKEN, 's')).status, 200)
      }
    } finally {
      clock.set(now)
    }
  })

  test('accepts 256 KiB and answers 413 to one byte more', async () => {
    const limit = 256 * 1024
    assert.equal((await post('x'.repeat(limit))).status, 403)
    assert.equal((await post('x'.repeat(limit + 1))).status, 413)
    const whole = (text: string) =>
      webhookRequest(rbmEvents.message({ text }, { agentId: AGENT, senderPhoneNumber: '+33601020304' }), {
        clientToken: CLIENT_TOKEN,
      })
    const { body, headers } = whole('long '.repeat(30_000))
    assert.ok(body.length < limit)
    assert.deepEqual(await post(body.padEnd(limit), headers), { status: 200, text: '' })
    assert.equal((await post(body.padEnd(limit + 1), headers)).status, 413)
  })
})

suite('RCS webhook authentication', () => {
  test('answers a handshake with the right token with the bare secret, any other with 403', async () => {
    await storesNothing(async () => {
      const right = await postHandshake(profile.url, CLIENT_TOKEN, '<b>1234567890</b>')
      assert.deepEqual([right.status, right.text], [200, '<b>1234567890</b>'])
      assert.match(right.type ?? '', /^text\/plain/)
      for (const wrong of ['', 'x', `${CLIENT_TOKEN} `, CLIENT_TOKEN.toUpperCase(), CLIENT_TOKEN.slice(1)])
        assert.equal((await postHandshake(profile.url, wrong, 'secret')).status, 403)
      assert.ok(!(await postHandshake(profile.url, 'x', 'secret-1')).text.includes('secret-1'))
    })
  })

  test('accepts a signature of the decoded data, not of the raw body, and a repeat is one event', async () => {
    const to = await stage.makeContact()
    const send = await stage.activated(to)
    const event = rbmEvents.user('READ', { agentId: AGENT, senderPhoneNumber: to.phone, messageId: send.stamp.id })
    await storesNothing(async () => {
      await rbm.post(event, { sign: 'raw' }, 403)
      await rbm.post(event, { sign: 'none' }, 403)
      await rbm.post(event, { clientToken: 'another' }, 403)
      await rbm.post(event, { headers: { 'x-goog-signature': '' } }, 403)
    })
    const before = await stored()
    await rbm.post(event)
    await rbm.post(event)
    assert.equal(await stored(), before + 1)
  })

  test('refuses a body changed by one byte with 403 and stores nothing', async () => {
    const event = rbmEvents.message({ text: 'Hello' }, { agentId: AGENT, senderPhoneNumber: '+33601020304' })
    const { body, headers } = webhookRequest(event, { clientToken: CLIENT_TOKEN })
    const start = body.indexOf('"data":"') + 8
    await storesNothing(async () => {
      for (const at of [start, start + 40, start + 81]) {
        const changed = body.slice(0, at) + (body[at] === 'A' ? 'B' : 'A') + body.slice(at + 1)
        assert.equal((await post(changed, headers)).status, 403)
      }
    })
  })

  test('refuses what is neither signed nor a handshake: invalid JSON, HTML, deep JSON and other members', async () => {
    const deep = `${'['.repeat(120_000)}${']'.repeat(120_000)}`
    const bodies = [
      '',
      'null',
      '[]',
      '{',
      '{}',
      '<!doctype html><html><body>Bad gateway</body></html>',
      deep,
      `{"message":${'{"message":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      '{"message":{"data":7}}',
      '{"message":null,"clientToken":["x"],"secret":"s"}',
      '{"__proto__":{"clientToken":"x","secret":"s"}}',
      Buffer.from([0xff, 0xfe, 0x00, 0x80]),
    ]
    await storesNothing(async () => {
      for (const type of ['application/json', 'text/html', 'application/x-www-form-urlencoded'])
        for (const body of bodies) assert.equal((await post(body, { 'content-type': type })).status, 403)
    })
  })

  test('fails for a profile without a client token and for a capturing profile', async () => {
    for (const provider of [{ type: 'google-rbm' }, { type: 'capture' }]) {
      const { url } = await stage.makeProfile({ provider })
      assert.equal((await postHandshake(url, '', 's')).status, 403)
      const event = rbmEvents.user('SUBSCRIBE', { agentId: AGENT, senderPhoneNumber: '+33601020304' })
      await storesNothing(async () => {
        assert.equal((await postEvent(url, event, { clientToken: '' })).status, 403)
      })
    }
  })
})

suite('the RCS webhook', () => {
  test('accepts an unknown type with an unknown header, stores nothing and counts both by name', async () => {
    const event = rbmEvents.user('REACTION_ADDED', { agentId: AGENT, senderPhoneNumber: '+33601020304' })
    const [events, headers, all] = [
      'stentor_rcs_unknown_events_total{name="REACTION_ADDED"}',
      'stentor_rcs_unknown_headers_total{name="x-goog-attempt"}',
      'stentor_rcs_webhook_requests_total{outcome="unknown"}',
    ]
    const before = await counted(all)
    await storesNothing(() => rbm.post(event, { headers: { 'x-goog-attempt': '2' } }))
    assert.deepEqual([await counted(events), await counted(headers), await counted(all)], [1, 1, before + 1])
  })

  test('accepts signed data that it cannot read, and limits the names that it counts', async () => {
    const signed = [[], 'text', 7, { eventType: 'DELIVERED', agentId: AGENT }, { agentId: AGENT, text: 'x' }]
    await storesNothing(async () => {
      for (const data of signed) await rbm.post(data as object)
      for (let n = 0; n < 60; n++)
        await rbm.post(rbmEvents.user(`NEW_${n}`, { agentId: AGENT, senderPhoneNumber: '+33601020304' }))
    })
    const text = await registry.metrics()
    const names = text.split('\n').filter((line) => line.startsWith('stentor_rcs_unknown_events_total{'))
    assert.equal(names.length, 51)
    assert.ok((await counted('stentor_rcs_unknown_events_total{name="other"}')) >= 10)
  })

  test('ignores typing indicators', async () => {
    const before = await outcome('ignored')
    await storesNothing(() => rbm.user('IS_TYPING', '+33601020304'))
    assert.equal(await outcome('ignored'), before + 1)
  })

  test("drops and counts events of unknown agents and of another account's agent", async () => {
    await stage.makeProfile({ agent: 'rival_agent' }, other.key)
    const before = await outcome('dropped')
    await storesNothing(async () => {
      for (const agent of ['rival_agent', 'no_agent', AGENT.toUpperCase()])
        await reporter(profile.url, agent).says({ text: 'Stop' }, '+33601020304')
    })
    assert.equal(await outcome('dropped'), before + 3)
  })

  test('accepts events of another agent of the account', async () => {
    await stage.makeProfile({ agent: 'second_agent', active: false })
    const before = await stored()
    await reporter(profile.url, 'second_agent').says({ text: 'Hello' }, '+33601020304')
    assert.equal(await stored(), before + 1)
  })

  test('records one event when the same event is posted 20 times at once', async () => {
    const before = await stored()
    const { phone } = await stage.makeContact()
    const event = rbmEvents.message({ text: 'Stop' }, { agentId: AGENT, senderPhoneNumber: phone })
    await Promise.all(Array.from({ length: 20 }, () => rbm.post(event)))
    assert.equal(await stored(), before + 1)
  })

  test('writes no phone and no secret to logs and metrics', async () => {
    const lines: string[] = []
    const config = { ...context.config, logLevel: 'trace' as const }
    const log = createLogger(config, { write: (line: string) => void lines.push(line) })
    const figures = new Registry()
    const app = await buildApiServer({ ...context, log }, figures)
    const url = new URL(profile.url).pathname
    const phone = '+33639980012'
    const events = [
      rbmEvents.user('DELIVERED', { agentId: AGENT, senderPhoneNumber: phone, messageId: 'x' }),
      rbmEvents.user('NEW_TYPE', { agentId: AGENT, senderPhoneNumber: phone }),
      rbmEvents.message({ text: 'my words' }, { agentId: AGENT, senderPhoneNumber: phone }),
      rbmEvents.message({ text: 'my words' }, { agentId: 'no_agent', senderPhoneNumber: phone }),
    ]
    for (const event of events)
      for (const sign of ['decoded', 'raw'] as const) {
        const { body, headers } = webhookRequest(event, { clientToken: CLIENT_TOKEN, sign })
        await app.inject({ method: 'POST', url, headers, payload: body })
      }
    const payload = await figures.metrics()
    await app.close()
    assert.ok(lines.length > 0 && payload.includes('stentor_rcs_webhook_requests_total'))
    for (const text of [...lines, payload])
      assert.doesNotMatch(text, /33639980012|my words|token-of-the-webhook|hooks\/rcs\/[\w-]{32}/)
  })
})
