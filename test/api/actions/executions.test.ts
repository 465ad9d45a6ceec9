import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { suite, test } from 'node:test'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, makeKey, own, other, gateway, action, contact, get, settle, sendDue, validated } =
  await startStage()

const EMAIL = 'application/vnd.np6.cm.email'
const STAMP = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
let stamps = 0

/** An unused stamp id. */
function newStamp(): string {
  return `019512a0-7c11-7d2e-9a42-${String(++stamps).padStart(12, '0')}`
}

function to(address: string) {
  return { type: 'unicity', value: [address] }
}

function footprint(id: string, address: string) {
  return { type: 'footprint', id, unicity: address, hash: createHash('md5').update(address).digest('hex') }
}

async function execute(id: string, items: unknown[], headers: Record<string, string> = {}) {
  return call('POST', `/actions/${id}/executions`, { body: items, headers })
}

async function events(path: string) {
  return (await call('GET', path)).body
}

/** The execution events of an action, oldest first. */
async function executionsOf(id: string) {
  return (await events(`/actions/${id}/events`)).filter(({ type }: { type: string }) => type === 'execution')
}

/** The mail as text, soft line breaks undone. */
function mail(address: string, index = 0): string {
  return String(gateway.to(address)[index]?.bytes ?? '').replaceAll('=\r\n', '')
}

async function queued(): Promise<number> {
  return (await context.db.selectFrom('messages').select('id').execute()).length
}

suite('executions', () => {
  test('return success with stamp and contact, and the event is readable at once', async () => {
    clock.set('2026-03-02T10:00:00.000Z')
    const ann = await contact('ann@shop.example')
    const id = await validated(await action())
    const item = { recipient: to('ann@shop.example'), data: { cart: 3 }, stamp: { id: STAMP.toUpperCase() } }
    const { status, body, headers } = await call('POST', `/actions/${id}/execution`, {
      body: item,
      headers: { 'content-type': EMAIL },
    })
    assert.deepEqual([status, headers['content-type']], [200, 'application/json; charset=utf-8'])
    assert.deepEqual(body, { type: 'success', id: STAMP, recipient: footprint(ann, 'ann@shop.example') })
    const [event, ...more] = await executionsOf(id)
    assert.equal(more.length, 0)
    const { execution } = event.source.detail
    assert.deepEqual([event.type, event.source.type], ['execution', 'email'])
    assert.deepEqual(execution, {
      id,
      kind: 'message',
      recipient: footprint(ann, 'ann@shop.example'),
      data: { cart: 3 },
      stamp: { time: Date.parse('2026-03-02T10:00:00.000Z'), id: STAMP, thread: STAMP, set: execution.stamp.set },
      field: 1,
      origin: { type: 'api' },
    })
    await sendDue()
    assert.equal(gateway.to('ann@shop.example').length, 1)
  })

  test('identify a contact by id, unicity, hash or footprint as recipient or receiver, in order', async () => {
    const address = 'ways@shop.example'
    const ways = await contact(address)
    const id = await validated(await action())
    const { hash } = footprint(ways, address)
    const { body } = await execute(id, [
      { recipient: { type: 'id', value: ways.toLowerCase() } },
      { receiver: to(address) },
      { recipient: { type: 'hash', value: hash.toUpperCase() } },
      { recipient: footprint(ways, address) },
    ])
    for (const result of body) assert.deepEqual(result.recipient, footprint(ways, address))
    assert.equal(new Set(body.map((result: { id: string }) => result.id)).size, 4)
  })

  test('an item that identifies no contact is an error in its place among the results', async () => {
    await contact('first@shop.example')
    await contact('third@shop.example')
    const id = await validated(await action())
    const { status, body } = await execute(id, [
      { recipient: to('first@shop.example') },
      { recipient: to('nobody@shop.example') },
      { recipient: to('third@shop.example'), related: { type: 'id', value: '0ZZZZZZZ' } },
      { recipient: to('third@shop.example') },
    ])
    assert.equal(status, 200)
    assert.deepEqual(body[1], {
      type: 'error',
      value: { type: 'recipient not found', recipient: to('nobody@shop.example') },
    })
    assert.deepEqual(body[2], {
      type: 'error',
      value: { type: 'related not found', related: { type: 'id', value: '0ZZZZZZZ' } },
    })
    assert.deepEqual([body[0].type, body[3].type], ['success', 'success'])
    assert.equal((await executionsOf(id)).length, 2)
  })

  test('do not find contacts of another account', async () => {
    const foreign = await call('POST', '/targets', { body: { Email: 'foreign@shop.example' }, key: other.key })
    const id = await validated(await action())
    const { body } = await execute(id, [
      { recipient: { type: 'id', value: foreign.body.id } },
      { recipient: to('foreign@shop.example') },
    ])
    assert.deepEqual(
      body.map((result: { value: { type: string } }) => result.value.type),
      ['recipient not found', 'recipient not found'],
    )
  })

  test('a repeated stamp returns the first answer and creates no second message or event', async () => {
    const ann = await contact('once@shop.example')
    await contact('twice@shop.example')
    const id = await validated(await action())
    const stamp = { id: newStamp() }
    const first = await execute(id, [{ recipient: to('once@shop.example'), stamp }])
    const again = await execute(id, [{ recipient: to('twice@shop.example'), stamp }])
    assert.deepEqual(again.body, first.body)
    await sendDue()
    const afterwards = await execute(id, [
      { recipient: to('nobody@shop.example'), stamp: { id: stamp.id.toUpperCase() } },
    ])
    assert.deepEqual(afterwards.body, [
      { type: 'success', id: stamp.id, recipient: footprint(ann, 'once@shop.example') },
    ])
    await sendDue()
    assert.deepEqual([gateway.to('once@shop.example').length, gateway.to('twice@shop.example').length], [1, 0])
    assert.equal((await executionsOf(id)).length, 1)
  })

  test('the first of two items with the same stamp wins', async () => {
    const first = await contact('s1@shop.example')
    await contact('s2@shop.example')
    const id = await validated(await action())
    const stamp = { id: newStamp() }
    const { body } = await execute(id, [
      { recipient: to('s1@shop.example'), stamp },
      { recipient: to('s2@shop.example'), stamp },
    ])
    const success = { type: 'success', id: stamp.id, recipient: footprint(first, 's1@shop.example') }
    assert.deepEqual(body, [success, success])
    assert.equal((await executionsOf(id)).length, 1)
  })

  test('two concurrent requests with the same stamp send once and return the same answer', async () => {
    await contact('r1@shop.example')
    await contact('r2@shop.example')
    const id = await validated(await action())
    const stamp = { id: newStamp() }
    const answers = await Promise.all(
      ['r1', 'r2'].map((name) => execute(id, [{ recipient: to(`${name}@shop.example`), stamp }])),
    )
    assert.deepEqual(answers[0]?.body, answers[1]?.body)
    await sendDue()
    assert.equal(gateway.to('r1@shop.example').length + gateway.to('r2@shop.example').length, 1)
    assert.equal((await executionsOf(id)).length, 1)
  })

  test('a stamp used by another account does not matter', async () => {
    await contact('mine@shop.example')
    await call('POST', '/targets', { body: { Email: 'theirs@shop.example' }, key: other.key })
    const made = await call('POST', '/actions', {
      body: { type: 'mailMessage', name: 'Theirs', content: { subject: 'Hi', html: '<p>x</p>' } },
      key: other.key,
    })
    await call('PUT', '/settings/sending', { body: { testRequired: false }, key: other.key })
    await call('POST', `/actions/${made.body.id}/validation`, { key: other.key })
    const stamp = { id: newStamp() }
    await call('POST', `/actions/${made.body.id}/execution`, {
      body: { recipient: to('theirs@shop.example'), stamp },
      key: other.key,
    })
    const id = await validated(await action())
    const { body } = await execute(id, [{ recipient: to('mine@shop.example'), stamp }])
    assert.equal(body[0].recipient.unicity, 'mine@shop.example')
  })

  test('stamps are kept as given, and missing parts are generated with one set per request', async () => {
    await contact('set@shop.example')
    const id = await validated(await action())
    const stamp = { id: newStamp(), thread: newStamp(), set: newStamp(), time: 1767258000000 }
    await execute(id, [
      { recipient: to('set@shop.example') },
      { recipient: to('set@shop.example') },
      { recipient: to('set@shop.example'), stamp },
    ])
    const written = await executionsOf(id)
    const shown = written.map(
      (event: { source: { detail: { execution: { stamp: { id: string } } } } }) => event.source.detail.execution.stamp,
    )
    const [a, b] = shown.filter(({ id }: { id: string }) => id !== stamp.id)
    assert.deepEqual([a.set === b.set, a.thread === a.id, a.time === clock.now()], [true, true, true])
    assert.deepEqual(
      shown.find(({ id }: { id: string }) => id === stamp.id),
      stamp,
    )
  })

  test('an empty list sends nothing, 1,000 items are accepted, and 1,001 are refused with nothing sent', async () => {
    await contact('many@shop.example')
    const id = await validated(await action())
    const item = { recipient: to('many@shop.example') }
    assert.deepEqual((await execute(id, [])).body, [])
    const before = await queued()
    assert.equal((await execute(id, Array(1001).fill(item))).status, 400)
    assert.equal(await queued(), before)
    const { body } = await execute(id, Array(1000).fill(item))
    assert.equal(body.filter(({ type }: { type: string }) => type === 'success').length, 1000)
    assert.equal(await queued(), before + 1000)
    assert.equal((await executionsOf(id)).length, 1000)
    await call('DELETE', `/actions/${id}`)
    await sendDue()
  })

  test('a malformed item is 400 with its pointer, and nothing is sent', async () => {
    await contact('sound@shop.example')
    const id = await validated(await action())
    const sound = { recipient: to('sound@shop.example') }
    const before = await queued()
    const cases: [object, string][] = [
      [{}, '/1/recipient'],
      [{ recipient: { type: 'unicity', value: 'sound@shop.example' } }, '/1/recipient'],
      [{ recipient: { type: 'name', value: 'Ann' } }, '/1/recipient'],
      [{ ...sound, data: [1] }, '/1/data'],
      [{ ...sound, variables: { a: 1 } }, '/1/variables'],
      [{ ...sound, stamp: { id: 'no uuid' } }, '/1/stamp/id'],
      [{ ...sound, headers: { from: { domain: 'a b' } } }, '/1/headers/from/domain'],
      [{ ...sound, headers: { reply: 'nobody' } }, '/1/headers/reply'],
      [{ ...sound, content: { type: 'other' } }, '/1/content/type'],
      [
        { ...sound, attachments: [{ name: '../a.txt', mime: 'text/plain', data: { type: 'base64', value: '' } }] },
        '/1/attachments/0/name',
      ],
      [{ ...sound, copies: Array(21).fill({ type: 'address', value: 'copy@shop.example' }) }, '/1/copies'],
      [{ ...sound, urgent: 'yes' }, '/1/urgent'],
    ]
    for (const [item, pointer] of cases) {
      const { status, body } = await execute(id, [sound, item])
      assert.equal(status, 400, JSON.stringify(item))
      assert.ok(
        body.errors.some((fault: { pointer: string }) => fault.pointer.startsWith(pointer)),
        `${JSON.stringify(item)}: ${JSON.stringify(body.errors)}`,
      )
    }
    assert.equal(await queued(), before)
  })

  test("the other channel's media type, an unknown one, or none with a body is 415", async () => {
    await contact('typed@shop.example')
    const id = await validated(await action())
    const item = { recipient: to('typed@shop.example') }
    const before = await queued()
    for (const type of ['application/vnd.np6.cm.sms', 'application/vnd.np6.cm.rcs', 'text/plain']) {
      const answer = await call('POST', `/actions/${id}/execution`, {
        body: JSON.stringify(item),
        headers: { 'content-type': type },
      })
      assert.equal(answer.status, 415, type)
      const list = await call('POST', `/actions/${id}/executions`, {
        body: JSON.stringify([item]),
        headers: { 'content-type': type },
      })
      assert.equal(list.status, 415, type)
    }
    assert.equal(
      (await call('POST', `/actions/${id}/execution`, { body: JSON.stringify(item), headers: {} })).status,
      415,
    )
    assert.equal(await queued(), before)
  })

  test('an item can replace the content only where the templating version allows it', async () => {
    await contact('override@shop.example')
    const html = '<p>{{ not.a.template }} <a href="https://shop.example/x">x</a></p>'
    const item = { recipient: to('override@shop.example'), content: { html } }
    const older = await validated(await action({ settings: { templating: { version: '4' } } }))
    const refused = await call('POST', `/actions/${older}/execution`, { body: item })
    assert.deepEqual([refused.status, refused.body.type], [409, 'urn:stentor:problem:content-fixed'])
    const id = await validated(await action())
    assert.equal((await call('POST', `/actions/${id}/execution`, { body: item })).status, 200)
    await sendDue()
    assert.ok(mail('override@shop.example').replaceAll('=3D', '=').includes(html))
  })

  test('a template supplied by an item is rendered and tracked like stored content', async () => {
    await contact('template@shop.example')
    const id = await validated(await action())
    const html = '<p>Parcel {{ data.parcel }}</p><a href="https://shop.example/track">Track it</a>'
    const item = { recipient: to('template@shop.example'), data: { parcel: 77 }, content: { type: 'template', html } }
    const broken = { ...item, content: { type: 'template', html: '<p>{% if %}</p>' } }
    const refused = await call('POST', `/actions/${id}/executions`, { body: [item, broken] })
    assert.deepEqual([refused.status, refused.body.errors?.[0].pointer], [400, '/1/content/html'])
    assert.equal((await call('POST', `/actions/${id}/execution`, { body: item })).status, 200)
    await sendDue()
    const text = mail('template@shop.example').replaceAll('=3D', '=')
    assert.match(text, /Parcel 77/)
    const link = /href="(https:\/\/stentor\.example\/t\/r\/[\w-]{72})"/.exec(text)?.[1] ?? ''
    const answer = await call('GET', new URL(link).pathname, { key: null })
    assert.deepEqual([answer.status, answer.headers['location']], [302, 'https://shop.example/track'])
    assert.equal(gateway.to('template@shop.example').length, 1)
  })

  test('subject, headers and values of an item appear in the message', async () => {
    await contact('values@shop.example')
    const content = {
      subject: 'Stored',
      html: '<p>{{ data.sku }} {{ variables.season }} {{ block.top }} {{ related.Email }}</p>',
    }
    await contact('second@shop.example')
    const id = await validated(await action({ content }))
    const item = {
      recipient: to('values@shop.example'),
      related: to('second@shop.example'),
      data: { sku: 'T77' },
      variables: [
        { key: 'season', value: 'winter' },
        { key: 'season', value: 'spring' },
      ],
      blocks: [{ key: 'top', value: 'banner' }],
      subject: 'Given {{ as.it.is }}',
      headers: { from: { prefix: 'orders', label: 'Orders' }, reply: 'help@shop.example' },
      important: true,
    }
    assert.equal((await call('POST', `/actions/${id}/execution`, { body: item })).status, 200)
    await sendDue()
    const text = mail('values@shop.example')
    assert.match(text, /^Subject: Given \{\{ as\.it\.is \}\}\r$/m)
    assert.match(text, /^From: Orders <orders@stentor\.example>\r$/m)
    assert.match(text, /^Reply-To: help@shop\.example\r$/m)
    assert.match(text, /^Importance: high\r$/m)
    assert.match(text, /<p>T77 spring banner second@shop\.example<\/p>/)
  })

  test('an item is urgent if it or its action is marked urgent', async () => {
    await contact('urgent@shop.example')
    const item = { recipient: to('urgent@shop.example') }
    const plain = await validated(await action())
    const priority = await validated(await action({ settings: { priority: true } }))
    await sendDue()
    await execute(plain, [item, { ...item, urgent: true }])
    await execute(priority, [item])
    const rows = await context.db
      .selectFrom('messages')
      .select('lane')
      .where('kind', '=', 'message')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ lane }) => lane),
      [1, 0, 0],
    )
    await sendDue()
  })

  test('a message expires after waiting for 72 hours', async () => {
    await contact('waited@shop.example')
    const id = await validated(await action())
    await execute(id, [{ recipient: to('waited@shop.example') }])
    clock.advance(72 * 3_600_000)
    await sendDue()
    const [{ source }] = await events(`/actions/${id}/events/cancellations`)
    assert.equal(source.detail.cancellation.type, 'expired')
    assert.equal(gateway.to('waited@shop.example').length, 0)
  })

  test('a message accepted before a change is sent with the earlier content', async () => {
    await contact('before@shop.example')
    const id = await validated(await action({ content: { subject: 'Old', html: '<p>x</p>' } }))
    await execute(id, [{ recipient: to('before@shop.example') }])
    await call('PUT', `/actions/${id}`, { body: { content: { subject: 'New' } } })
    await settle()
    assert.match(mail('before@shop.example'), /^Subject: Old\r$/m)
  })

  test('a message of a deleted action is cancelled', async () => {
    await contact('late@shop.example')
    const id = await validated(await action())
    await execute(id, [{ recipient: to('late@shop.example') }])
    await call('DELETE', `/actions/${id}`)
    await sendDue()
    assert.equal(gateway.to('late@shop.example').length, 0)
  })
})

suite('attachments', () => {
  const base64 = Buffer.from('bytes of a file').toString('base64')

  async function send(attachment: object) {
    const id = await validated(await action())
    const { body } = await execute(id, [{ recipient: to('file@shop.example'), attachments: [attachment] }])
    return body[0]
  }

  test('are sent with the message', async () => {
    await contact('file@shop.example')
    const result = await send({ name: 'bill.pdf', mime: 'application/pdf', data: { type: 'base64', value: base64 } })
    assert.equal(result.type, 'success')
    await sendDue()
    const text = mail('file@shop.example')
    assert.match(text, /Content-Disposition: attachment;\s+filename="?bill\.pdf"?/)
    assert.ok(text.includes(base64))
  })

  test('are an item error if not base64, too large in total, or from a host that is not allowed', async () => {
    await call('PUT', '/settings/sending', { body: { attachmentHosts: ['files.shop.example'] } })
    const large = Buffer.alloc(15 * 1024 * 1024 + 1).toString('base64')
    const cases: [object, RegExp][] = [
      [{ type: 'base64', value: 'not base64!' }, /base64/],
      [{ type: 'base64', value: large }, /15 MiB/],
      [{ type: 'url', value: 'https://elsewhere.example/a.pdf' }, /host not allowed/],
      [{ type: 'url', value: 'http://files.shop.example/a.pdf' }, /https/],
    ]
    for (const [data, words] of cases) {
      const { type, value } = await send({ name: 'a.pdf', mime: 'application/pdf', data })
      assert.deepEqual([type, value.type, value.name], ['error', 'attachment', 'a.pdf'])
      assert.match(value.message, words)
    }
  })

  test('item data over 256 KiB is an item error', async () => {
    const id = await validated(await action())
    const { body } = await execute(id, [{ recipient: to('file@shop.example'), data: { a: 'x'.repeat(256 * 1024) } }])
    assert.deepEqual([body[0].type, body[0].value.type], ['error', 'data'])
  })
})

suite('copies of an execution', () => {
  test("are separate messages with the main recipient's values, without unknown and excluded contacts", async () => {
    const listed = await contact('red@copy.example')
    assert.equal((await call('POST', `/targets/${listed}/redlist/mail`, { body: {} })).status, 204)
    await contact('main@copy.example')
    await contact('known@copy.example')
    const id = await validated(await action({ content: { subject: 'For {{ contact.Email }}', html: '<p>x</p>' } }))
    const copies = [
      to('known@copy.example'),
      { type: 'address', value: 'desk@copy.example', as: 'bcc' },
      to('nobody@copy.example'),
      { type: 'address', value: 'no address' },
      to('red@copy.example'),
    ]
    const { body } = await execute(id, [{ recipient: to('main@copy.example'), copies }])
    assert.equal(body[0].type, 'success')
    await sendDue()
    for (const address of ['main', 'known', 'desk']) {
      assert.match(mail(`${address}@copy.example`), /^Subject: For main@copy\.example\r$/m, address)
      assert.match(mail(`${address}@copy.example`), /^Cc: known@copy\.example\r$/m, address)
      assert.match(mail(`${address}@copy.example`), /^To: main@copy\.example\r$/m, address)
    }
    assert.equal(gateway.to('red@copy.example').length, 0)
    assert.equal((await executionsOf(id)).length, 1)
  })

  test('are not sent again for a stamp already used', async () => {
    await contact('again@copy.example')
    const id = await validated(await action())
    const item = {
      recipient: to('again@copy.example'),
      stamp: { id: newStamp() },
      copies: [{ type: 'address', value: 'cc@copy.example' }],
    }
    await execute(id, [item])
    await execute(id, [item])
    await sendDue()
    assert.deepEqual([gateway.to('again@copy.example').length, gateway.to('cc@copy.example').length], [1, 1])
  })
})

suite('executions that are refused', () => {
  test('an execution of a campaign is 409', async () => {
    await contact('campaign@shop.example')
    const id = await action({ type: 'mailCampaign' })
    const { status } = await execute(id, [{ recipient: to('campaign@shop.example') }])
    assert.equal(status, 409)
    assert.equal((await get(id)).state, 20)
  })

  test('a key without the send right can neither execute nor validate', async () => {
    await contact('refused@shop.example')
    const id = await validated(await action())
    const key = await makeKey(own.account, ['read', 'write', 'admin'])
    const item = { recipient: to('refused@shop.example') }
    for (const [path, body] of [
      ['execution', item],
      ['executions', [item]],
      ['validation', {}],
      ['pause', undefined],
    ] as const) {
      assert.equal((await call('POST', `/actions/${id}/${path}`, { body, key })).status, 403, path)
    }
    assert.equal((await call('POST', `/actions/${id}/render`, { body: item, key })).status, 200)
  })
})
