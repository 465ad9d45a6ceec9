import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { startRcsRequests, to } from '../../support/stages/rcs-requests.ts'

const { ask, call, clock, context, field, makeKey, makeProfile, other, own, phone, profile, rcs, ready, segment } =
  await startRcsRequests()
clock.set('2026-03-02T10:00:00.000Z')

const STAMP = '0198c2d4-6a00-7c11-8e5d-91b2c3d4e5f6'
const ann = await phone('ann@shop.example', '+33612345678')
await phone('mute@shop.example', null)

const suggestions = [
  { type: 'openUrl', text: 'See', postback: 'see', url: 'https://shop.example/{{ contact.Email }}' },
  { type: 'reply', text: '{{ data.none }}', postback: 'x' },
  { type: 'reply', text: 'Later', postback: 'later' },
]
const whole = {
  content: { type: 'text', text: 'Hi {{ contact.Email }} {{ data.a }} {{ season }} {{ related.Email }}', suggestions },
  fallback: { type: 'sms', text: 'Hi {{ contact.Email }} {{ data.a }}' },
}

const render = (id: number | string, body: object, options: object = {}) => ask('POST', `${id}/render`, body, options)

/** How much is stored of sends. */
async function stored(): Promise<number[]> {
  const counts = ['messages', 'events', 'content_versions', 'short_links'].map(
    (table) => `(select count(*)::integer from ${table})`,
  )
  const { rows } = await context.pool.query(`select array[${counts.join(', ')}] as counts`)
  return rows[0].counts
}

/** The postback of a suggestion as it is sent. */
function postback(path: string, text: string): string {
  return `~${Buffer.from(STAMP.replaceAll('-', ''), 'hex').toString('base64url')}.${path}~${text}`
}

suite('RCS renders', () => {
  test('show the message that RBM would get and its fallback SMS, and write nothing', async () => {
    const id = await ready(whole)
    await phone('bob@shop.example', '+33612345679')
    const before = await stored()
    const { status, body, headers } = await render(id, {
      receiver: to('ann@shop.example'),
      related: to('bob@shop.example'),
      data: { a: '<b>' },
      variables: [{ key: 'season', value: 'spring' }],
      stamp: { id: STAMP },
    })
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8'])
    const { url } = body.message.suggestions[0].action.openUrlAction
    assert.deepEqual(body, {
      type: 'success',
      recipient: '+33612345678',
      agent: 'orchard_fr_k2',
      message: {
        text: 'Hi ann@shop.example <b> spring bob@shop.example',
        suggestions: [
          { action: { text: 'See', postbackData: postback('s0', 'see'), openUrlAction: { url } } },
          { reply: { text: 'Later', postbackData: postback('s2', 'later') } },
        ],
      },
      fallback: { text: 'Hi ann@shop.example <b> STOP 36000', segments: 1 },
    })
    assert.match(url, /^https:\/\/stentor\.example\/t\/r\//)
    const followed = await call('GET', new URL(url).pathname, { key: null })
    assert.deepEqual([followed.status, followed.headers['location']], [302, 'https://shop.example/ann@shop.example'])
    assert.deepEqual(await stored(), before)
  })

  test('have no recipient and an empty contact without a receiver, and can show another phone', async () => {
    const id = await rcs({ content: { type: 'text', text: 'Hi {{ contact.Email }}' } })
    const shown = { type: 'success', agent: 'orchard_fr_k2', fallback: null }
    assert.deepEqual((await render(id, {})).body, { ...shown, recipient: null, message: { text: 'Hi ' } })
    const mute = { recipient: to('mute@shop.example') }
    const hello = { text: 'Hi mute@shop.example' }
    assert.deepEqual((await render(id, mute)).body, { ...shown, recipient: null, message: hello })
    for (const recipient of ['+33612345670', '06 12 34 56 70'])
      assert.deepEqual((await render(id, { ...mute, context: { recipient } })).body, {
        ...shown,
        recipient: '+33612345670',
        message: hello,
      })
    const { body } = await render(id, { ...mute, context: { recipient: 'nobody' } })
    assert.equal(body.recipient, null)
  })

  test('use content and fallback of the request, with links as their targets', async () => {
    const id = await ready(whole)
    const content = {
      type: 'file',
      file: { url: 'https://img.shop.example/{{ data.a }}.jpg' },
      suggestions: [suggestions[0]],
    }
    const given = { recipient: to('ann@shop.example'), data: { a: 'pear' }, stamp: { id: STAMP } }
    const { body } = await render(id, { ...given, content, fallback: null })
    const openUrlAction = { url: 'https://shop.example/ann@shop.example' }
    assert.deepEqual(body, {
      type: 'success',
      recipient: '+33612345678',
      agent: 'orchard_fr_k2',
      fallback: null,
      message: {
        contentInfo: { fileUrl: 'https://img.shop.example/pear.jpg' },
        suggestions: [{ action: { text: 'See', postbackData: postback('s0', 'see'), openUrlAction } }],
      },
    })
    const other = await render(id, { ...given, fallback: { type: 'sms', text: 'x'.repeat(200) } })
    assert.deepEqual(other.body.fallback, { text: `${'x'.repeat(200)} STOP 36000`, segments: 2 })
    const old = await rcs({ ...whole, settings: { profile, field, templating: { version: '4' } } })
    assert.equal((await render(old, { content })).status, 409)
    assert.equal((await render(old, {})).status, 200)
  })

  test('accept a contact by id, by unicity or by hash in the address', async () => {
    const id = await rcs(whole)
    const hash = createHash('md5').update('ann@shop.example').digest('hex')
    const whom = [`/${ann}`, `?unicity=ann@shop.example`, `?hash=${hash}`, `?hash=${hash.toUpperCase()}`]
    for (const path of whom) {
      const { status, body, text } = await ask('GET', `${id}/render/contact${path}`)
      assert.equal(status, 200, text)
      assert.deepEqual(
        [body.type, body.recipient, body.message.text.trim(), body.fallback],
        ['success', '+33612345678', 'Hi ann@shop.example', { text: 'Hi ann@shop.example  STOP 36000', segments: 1 }],
        path,
      )
    }
    for (const path of ['', `?unicity=ann@shop.example&hash=${hash}`]) {
      const refused = await ask('GET', `${id}/render/contact${path}`)
      assert.deepEqual([refused.status, refused.body.errors.length], [400, 1], path)
    }
    for (const path of ['/0ZZZZZZZ', '/none', '?unicity=no@shop.example', `?hash=${'0'.repeat(32)}`, '?hash=none']) {
      assert.equal((await ask('GET', `${id}/render/contact${path}`)).status, 404, path)
    }
  })

  test('report content errors in the result', async () => {
    const id = await rcs({ content: { type: 'card', orientation: 'VERTICAL', card: { title: '{{ data.long }}' } } })
    const error = (value: object) => ({ type: 'error', value })
    const too = 'must have at most 200 characters, not 201'
    const { body } = await render(id, { data: { long: 'x'.repeat(201) } })
    assert.deepEqual([body.type, body.value.type, body.value.pointer], ['error', 'render', '/content/card/title'])
    assert.match(body.value.message, new RegExp(too))
    assert.deepEqual(Object.keys(body.value), ['type', 'message', 'pointer'])
    const unknown = to('no@shop.example')
    assert.deepEqual(
      (await render(id, { receiver: unknown })).body,
      error({ type: 'recipient not found', recipient: unknown }),
    )
    assert.deepEqual(
      (await render(id, { related: unknown })).body,
      error({ type: 'related not found', related: unknown }),
    )
    const cancelled = await render(id, { content: { type: 'text', text: '{% cancel "no stock" %}' } })
    assert.deepEqual(cancelled.body, error({ type: 'cancelled', message: 'no stock' }))
    const broken = await render(id, { content: { type: 'text', text: '{% for i in (1..100000000) %}{% endfor %}' } })
    assert.deepEqual([broken.body.value.type, broken.body.value.pointer], ['render', '/content/text'])
    const long = await render(id, { data: { long: 'x' }, fallback: { type: 'sms', text: 'é'.repeat(5000) } })
    assert.deepEqual([long.body.value.type, long.body.value.pointer], ['render', '/fallback/text'])
  })

  test('warn about a first suggestion that shares a location', async () => {
    const share = { type: 'shareLocation', text: 'Here' }
    const id = await rcs({ content: { type: 'text', text: 'Where?', suggestions: [share] } })
    const { body } = await render(id, {})
    assert.deepEqual(
      body.warnings.map(({ type, pointer }: { type: string; pointer: string }) => [type, pointer]),
      [['share-location-first', '/content/suggestions/0']],
    )
  })

  test('are 409 without content, have no agent without a profile, and are 404 for foreign or deleted actions', async () => {
    const bare = await rcs({ content: null })
    for (const ask409 of [render(bare, {}), ask('GET', `${bare}/render/contact/${ann}`)])
      assert.deepEqual([(await ask409).status, (await ask409).body.type.split(':').at(-1)], [409, 'content-missing'])
    assert.equal((await render(bare, { content: { type: 'text', text: 'x' } })).status, 200)
    const homeless = await rcs({ settings: { field } })
    assert.deepEqual((await render(homeless, { receiver: to('ann@shop.example') })).body, {
      type: 'success',
      recipient: '+33612345678',
      agent: null,
      message: { text: 'Hello ' },
      fallback: null,
    })
    const scheduler = { type: 'asap', segments: { selected: [await segment([ann])] } }
    const campaign = await ready({ type: 'rcsCampaign', scheduler })
    for (const state of [50, 55, 60]) {
      await context.pool.query('update actions set state = $2 where id = $1', [campaign, state])
      assert.equal((await render(campaign, {})).status, 200)
    }
    const foreign = await call('POST', '/targets', { body: { Email: 'foreign@shop.example' }, key: other.key })
    assert.equal((await ask('GET', `${homeless}/render/contact/${foreign.body.id}`)).status, 404)
    assert.equal((await ask('GET', `${homeless}/render/contact?unicity=foreign@shop.example`)).status, 404)
    const forms = [
      `render/contact/${ann}`,
      'render/contact?unicity=ann@shop.example',
      `render/contact?hash=${'0'.repeat(32)}`,
    ]
    const unknown = async (id: number | string, options: object = {}) => {
      assert.equal((await render(id, {}, options)).status, 404)
      for (const form of forms) assert.equal((await ask('GET', `${id}/${form}`, undefined, options)).status, 404, form)
    }
    await unknown(homeless, { key: other.key })
    await unknown('none')
    await ask('DELETE', homeless)
    await unknown(homeless)
  })

  test('check media type, members and right', async () => {
    const id = await rcs()
    for (const type of ['text/plain', 'application/vnd.np6.cm.sms'])
      assert.equal((await ask('POST', `${id}/render`, '{}', { headers: { 'content-type': type } })).status, 415)
    for (const [body, pointer] of [
      [{ content: { type: 'poem' } }, '/content/type'],
      [{ content: { type: 'text', text: ' ' } }, '/content/text'],
      [{ fallback: { type: 'sms', text: '' } }, '/fallback/text'],
      [{ receiver: { type: 'unicity', value: 'x' } }, '/receiver/value'],
      [{ headers: { reply: 'a@shop.example' } }, '/headers'],
    ] as const) {
      const refused = await render(id, body)
      const pointers = refused.body.errors.map((fault: { pointer: string }) => fault.pointer)
      assert.ok(refused.status === 400 && pointers.includes(pointer), `${pointers} lacks ${pointer}`)
    }
    const key = await makeKey(own.account, ['write', 'send'])
    assert.equal((await render(id, {}, { key })).status, 403)
    assert.equal((await ask('GET', `${id}/render/contact/${ann}`, undefined, { key })).status, 403)
    assert.ok((await makeProfile()) > 0)
  })
})
