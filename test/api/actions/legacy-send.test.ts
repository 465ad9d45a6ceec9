import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { simpleParser } from 'mailparser'
import { startStage } from '../../support/stages/stage.ts'

const { app, call, makeKey, own, other, gateway, action, contact, sendDue, validated } = await startStage()

const MESSAGE_ID = 'application/vnd.mperf.v8.message.id'
let people = 0

/** A new contact: its id and address. */
async function person() {
  const address = `person${++people}@shop.example`
  return { id: await contact(address), address }
}

async function post(id: string, target: string, body?: unknown, headers: Record<string, string> = {}) {
  return call('POST', `/actions/${id}/targets/${target}`, { body, headers })
}

/** The only message an address got. */
async function mailTo(address: string) {
  await sendDue()
  const [mail, ...more] = gateway.to(address)
  assert.ok(mail && more.length === 0, `${address} got ${more.length + 1}`)
  return simpleParser(Buffer.from(mail.bytes))
}

const message = await validated(await action())

suite('the legacy send', () => {
  test('sends like an execution without a body, with an empty one or with an empty object', async () => {
    for (const body of [undefined, '', {}]) {
      const { id, address } = await person()
      const answer = await post(
        message,
        id.toLowerCase(),
        body,
        body === '' ? { 'content-type': 'application/json' } : {},
      )
      assert.deepEqual([answer.status, answer.text], [204, ''])
      const mail = await mailTo(address)
      assert.equal(mail.subject, 'Hello')
      const { body: events } = await call('GET', `/targets/${id}/events`)
      assert.deepEqual(events.map(({ type }: { type: string }) => type).sort(), ['activation', 'execution'])
    }
  })

  test('returns the thread of the stamp on request, and otherwise nothing', async () => {
    const { id } = await person()
    for (const accept of [
      MESSAGE_ID,
      'application/vnd.mperf.v8.id.v1',
      `text/html, ${MESSAGE_ID.toUpperCase()};q=0.9`,
    ]) {
      const answer = await post(message, id, {}, { accept })
      assert.equal(answer.status, 200)
      assert.match(String(answer.headers['content-type']), /^application\/json/)
      await sendDue()
      const { body: events } = await call('GET', `/targets/${id}/events`)
      const stamps = events.flatMap(
        ({ source }: { source: { detail: { activation?: { stamp: object } } } }) =>
          source.detail.activation?.stamp ?? [],
      )
      const stamp = stamps.find((one: { thread: string }) => one.thread === answer.body)
      assert.equal(stamp?.id, answer.body)
    }
    for (const accept of ['application/vnd.mperf.v8.message', 'application/json', '*/*'])
      assert.equal((await post(message, id, {}, { accept })).status, 204)
  })

  test('accepts data, content and header', async () => {
    const id = await validated(
      await action({ content: { subject: 'Hi {{ data.name }}', html: '<p>{{ data.name }}</p>' } }),
    )
    const one = await person()
    assert.equal((await post(id, one.id, { data: { name: 'Ann' } })).status, 204)
    const first = await mailTo(one.address)
    assert.deepEqual([first.subject, first.text?.trim()], ['Hi Ann', 'Ann'])
    const two = await person()
    const body = {
      content: { html: '<p>Bon<b>jour</b></p>', text: 'Bonjour' },
      header: { subject: 'Déjà', mailFrom: '"The Shop" <sales@mail.shop.example>', replyTo: 'help@shop.example' },
    }
    assert.equal((await post(id, two.id, body)).status, 204)
    const mail = await mailTo(two.address)
    assert.deepEqual([mail.subject, mail.text?.trim(), mail.html], ['Déjà', 'Bonjour', '<p>Bon<b>jour</b></p>'])
    assert.equal(mail.from?.value[0]?.name, 'The Shop')
    assert.match(String(mail.from?.value[0]?.address), /^sales@/)
    assert.equal(mail.replyTo?.value[0]?.address, 'help@shop.example')
  })

  test('accepts views, and cc and bcc contacts', async () => {
    const [to, cc, bcc] = [await person(), await person(), await person()]
    const views = {
      subject: 'V',
      html: '<p>View</p>',
      text: 'View',
      fromLabel: 'Desk',
      fromPrefix: 'desk',
      replyTo: 'r@shop.example',
    }
    assert.equal((await post(message, to.id, { views, cc: [cc.id], bcc: [bcc.id] })).status, 204)
    const mail = await mailTo(to.address)
    assert.deepEqual([mail.subject, mail.text?.trim(), mail.from?.value[0]?.name], ['V', 'View', 'Desk'])
    assert.match(String(mail.from?.value[0]?.address), /^desk@/)
    assert.match(JSON.stringify(mail.cc), new RegExp(cc.address))
    for (const copy of [cc, bcc]) assert.equal((await mailTo(copy.address)).subject, 'V')
  })

  test('accepts a form with a "model" part and files', async () => {
    const { id, address } = await person()
    const form = new FormData()
    form.set('model', JSON.stringify({ header: { subject: 'With files' } }))
    form.append('attachments', new File(['a;b\n1;2\n'], 'été.csv', { type: 'text/csv' }))
    form.append('attachments', new File([new Uint8Array([0, 255, 13, 10])], 'raw.bin'))
    const encoded = new Response(form)
    const answer = await app.inject({
      method: 'POST',
      url: `/actions/${message}/targets/${id}`,
      headers: { 'x-key': own.key, 'content-type': encoded.headers.get('content-type') ?? '', accept: MESSAGE_ID },
      payload: Buffer.from(await encoded.arrayBuffer()),
    })
    assert.equal(answer.statusCode, 200, answer.payload)
    const mail = await mailTo(address)
    assert.equal(mail.subject, 'With files')
    assert.deepEqual(
      mail.attachments.map(({ filename, contentType, content }) => [filename, contentType, [...content]]),
      [
        ['été.csv', 'text/csv', [...Buffer.from('a;b\n1;2\n')]],
        ['raw.bin', 'application/octet-stream', [0, 255, 13, 10]],
      ],
    )
    const broken = { 'content-type': 'multipart/form-data; boundary=x' }
    assert.equal((await post(message, id, 'nothing of the kind', broken)).status, 400)
    const list = new FormData()
    list.set('model', '[1]')
    const listed = new Response(list)
    const type = { 'content-type': listed.headers.get('content-type') ?? '' }
    assert.equal((await post(message, id, Buffer.from(await listed.arrayBuffer()), type)).status, 400)
  })

  test('refuses an invalid request and sends nothing', async () => {
    const { id, address } = await person()
    const pointer = async (body: object, of = message) => {
      const answer = await post(of, id, body)
      return [answer.status, answer.body?.errors?.[0]?.pointer]
    }
    assert.deepEqual(await pointer({ header: { mailFrom: 'The Shop' } }), [400, '/header/mailFrom'])
    assert.deepEqual(await pointer({ header: { mailFrom: 'a@b.example>' } }), [400, '/header/mailFrom'])
    assert.deepEqual(await pointer({ header: { mailFrom: 'A <a@b.example> C' } }), [400, '/header/mailFrom'])
    assert.deepEqual(await pointer({ header: { mailFrom: 'a..b@c.example' } }), [400, '/header/mailFrom'])
    assert.deepEqual(await pointer({ header: { replyTo: 'x' } }), [400, '/header/replyTo'])
    assert.deepEqual(await pointer({ data: 'x' }), [400, '/data'])
    assert.deepEqual(await pointer({ data: { a: 'x'.repeat(257 * 1024) } }), [400, '/data'])
    assert.equal((await post(message, id, 'x', { 'content-type': 'text/plain' })).status, 415)
    const old = await validated(await action({ settings: { templating: { version: '2' } } }))
    assert.equal((await post(old, id, { content: { html: '<p>x</p>' } })).status, 409)
    assert.equal((await post(await action(), id)).status, 409)
    await sendDue()
    assert.deepEqual(gateway.to(address), [])
  })

  test('refuses header and cc for an SMS action', async () => {
    const field = (await call('POST', '/fields', { body: { type: 'phone', name: 'Phone' } })).body.id
    const sms = { type: 'smsMessage', name: 'S', settings: { field }, content: { textContent: 'x' } }
    const { body } = await call('POST', '/actions', { body: sms })
    const { id } = await person()
    const answer = await post(body.id, id, { data: {}, header: { subject: 'x' }, cc: [id] })
    assert.deepEqual(
      [answer.status, answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)],
      [400, ['/header', '/cc']],
    )
  })

  test('actions and contacts unknown or of another account are 404, and the send right is required', async () => {
    const { id } = await person()
    const gone = await validated(await action())
    await call('DELETE', `/actions/${gone}`)
    for (const [of, to] of [
      ['0ZZZZZ', id],
      ['x', id],
      [gone, id],
      [message, '0000ZZZZ'],
      [message, '-'],
    ])
      assert.equal((await post(String(of), String(to), {}, { accept: MESSAGE_ID })).status, 404, `${of} ${to}`)
    assert.equal((await call('POST', `/actions/${message}/targets/${id}`, { key: other.key })).status, 404)
    const theirs = await call('POST', '/targets', { body: { Email: 'theirs@shop.example' }, key: other.key })
    assert.equal((await post(message, theirs.body.id)).status, 404)
    const writer = await makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await call('POST', `/actions/${message}/targets/${id}`, { key: writer })).status, 403)
  })
})
