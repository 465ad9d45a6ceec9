import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test } from 'node:test'
import { differences } from '../../support/guides/shape.ts'
import { startStage } from '../../support/stages/stage.ts'

const { call, clock, context, other, gateway, action, contact, get, segment, sendDue, settle, validated } =
  await startStage()

const html =
  '<html><body><a href="https://shop.example/open" dataminingname="hero">Come in</a> <a href="MirrorPage">Online</a> {{ contact.Email }}</body></html>'

function to(address: string) {
  return { type: 'unicity', value: [address] }
}

async function render(id: string, item: object) {
  const { status, body, text } = await call('POST', `/actions/${id}/render`, { body: item })
  assert.equal(status, 200, text)
  return body
}

async function events() {
  return (await call('GET', '/actions/events')).body
}

suite('renders', () => {
  test("show a contact's message, and send, store and count nothing", async () => {
    await contact('ann@shop.example')
    const id = await action({
      settings: { importance: true },
      content: {
        subject: 'For {{ contact.Email }}',
        html,
        headers: { from: { label: 'The Shop' }, reply: 'help@shop.example' },
      },
    })
    const before = await get(id)
    const body = await render(id, { recipient: to('ann@shop.example') })
    assert.deepEqual(body, {
      type: 'success',
      recipient: 'ann@shop.example',
      sender: {
        bounce: 'bounce@stentor.example',
        label: 'The Shop',
        reply: 'help@shop.example',
        value: 'news@stentor.example',
      },
      subject: 'For ann@shop.example',
      html: '<html><body><a href="https://shop.example/open">Come in</a> <a href="https://stentor.example/t/preview">Online</a> ann@shop.example</body></html>',
      text: 'Come in [https://shop.example/open] Online [https://stentor.example/t/preview] ann@shop.example\n',
      amp: '',
      headers: { Importance: 'high' },
    })
    assert.deepEqual(await get(id), before)
    for (const table of ['messages', 'sent_messages', 'content_versions'] as const) {
      assert.deepEqual(await context.db.selectFrom(table).selectAll().execute(), [], table)
    }
    assert.deepEqual(await events(), [])
  })

  test('use an empty contact if none is given, and return empty parts without content', async () => {
    const id = await action({ content: { subject: 'For {{ contact.Email }}' } })
    const { subject, html, text, amp, recipient } = await render(id, {})
    assert.deepEqual(
      { subject, html, text, amp, recipient },
      { subject: 'For', html: '', text: '', amp: '', recipient: '' },
    )
  })

  test('return results in the order of the items, errors included', async () => {
    await contact('one@shop.example')
    const id = await action({ content: { subject: '{{ contact.Email }}', html } })
    const { body } = await call('POST', `/actions/${id}/renders`, {
      body: [
        { receiver: to('one@shop.example') },
        { recipient: to('nobody@shop.example') },
        { recipient: to('one@shop.example'), related: to('nobody@shop.example') },
        { recipient: to('one@shop.example'), context: { recipient: 'shown@shop.example' } },
      ],
      headers: { 'content-type': 'application/vnd.np6.cm.email' },
    })
    assert.equal(body[0].subject, 'one@shop.example')
    assert.deepEqual(body[1], {
      type: 'error',
      value: { type: 'recipient not found', recipient: to('nobody@shop.example') },
    })
    assert.deepEqual(body[2], {
      type: 'error',
      value: { type: 'related not found', related: to('nobody@shop.example') },
    })
    assert.equal(body[3].recipient, 'shown@shop.example')
  })

  test('use the values of the item, and unknown values are empty', async () => {
    await contact('values@shop.example')
    const content = { subject: '{{ data.a }}{{ variables.b }}{{ block.c }}{{ related.Email }}{{ unknown }}|', html }
    const id = await action({ content, settings: { environment: { shop: 'Lille' } } })
    const { subject } = await render(id, {
      data: { a: 1 },
      variables: [{ key: 'b', value: 2 }],
      blocks: [{ key: 'c', value: 3 }],
      related: to('values@shop.example'),
    })
    assert.equal(subject, '123values@shop.example|')
  })

  test('ignore copies, and report them under strict handling', async () => {
    await contact('copies@shop.example')
    const id = await action({ content: { subject: 'Hi', html } })
    for (const copies of [5, {}, [1], [to('nobody@shop.example')], null]) {
      const item = { recipient: to('copies@shop.example'), copies }
      assert.equal((await render(id, item)).recipient, 'copies@shop.example', JSON.stringify(copies))
      const list = await call('POST', `/actions/${id}/renders`, { body: [item] })
      assert.deepEqual([list.status, list.body[0].type], [200, 'success'])
    }
    const strict = await call('POST', `/actions/${id}/render`, {
      body: { copies: 5 },
      headers: { prefer: 'handling=strict' },
    })
    assert.deepEqual([strict.status, strict.body.errors[0].pointer], [400, '/copies'])
  })

  test('report an item error for any context id that identifies no message', async () => {
    const id = await action({ content: { subject: 'Hi', html } })
    const ids = ['', 'T1', '019512a0-7c11-7d2e-9a42-0c1de0a5bfff', '42']
    const { status, body } = await call('POST', `/actions/${id}/renders`, {
      body: [...ids.map((one) => ({ context: { id: one } })), { context: { id: null } }],
    })
    assert.equal(status, 200)
    const unknown = { type: 'error', value: { type: 'message not found' } }
    assert.deepEqual(body.slice(0, ids.length), Array(ids.length).fill(unknown))
    assert.equal(body.at(-1).type, 'success')
    const links = [{ type: 'system', destination: { type: 'mirror' } }]
    const asked = await call('POST', `/actions/${id}/render/links`, { body: { context: { id: 'T1' }, links } })
    assert.equal(asked.status, 404)
    assert.equal((await call('POST', `/actions/${id}/render`, { body: { context: { id: 5 } } })).status, 400)
  })

  test("accept the keyword for the profile's domain", async () => {
    const headers = { from: { prefix: 'own', domain: 'elsewhere.example' } }
    const id = await action({ content: { subject: 'Hi', html, headers } })
    const { sender } = await render(id, { headers: { from: { domain: 'defaultdomain' } } })
    assert.equal(sender.value, 'own@stentor.example')
  })

  test('return only the requested part and leave the others empty', async () => {
    const id = await action({ content: { subject: 'Hi', html: '<p>html</p>', text: 'text', amp: '<p>amp</p>' } })
    const parts = ['html', 'text', 'amp'] as const
    for (const [index, part] of parts.entries()) {
      const body = await render(id, { context: { render: index + 1 } })
      assert.deepEqual(
        parts.filter((name) => body[name] !== ''),
        [part],
      )
    }
  })

  test('take the values of a message from its stamp, and report a stamp without one', async () => {
    await contact('sent@shop.example')
    const id = await validated(await action({ content: { subject: '{{ data.sku }} {{ variables.v }}', html } }))
    const stamp = '019512a0-7c11-7d2e-9a42-0c1de0a5b001'
    const item = {
      recipient: to('sent@shop.example'),
      stamp: { id: stamp },
      data: { sku: 'T1' },
      variables: [{ key: 'v', value: 'x' }],
    }
    await call('POST', `/actions/${id}/execution`, { body: item })
    await sendDue()
    assert.equal((await render(id, { context: { id: stamp.toUpperCase() } })).subject, 'T1 x')
    assert.equal((await render(id, { context: { id: stamp }, data: { sku: 'T2' } })).subject, 'T2 x')
    const missing = { type: 'error', value: { type: 'message not found' } }
    assert.deepEqual(await render(id, { context: { id: '019512a0-7c11-7d2e-9a42-0c1de0a5b002' } }), missing)
    assert.deepEqual(await render(await action(), { context: { id: stamp } }), missing)
  })

  test('replace subject, headers and content as given', async () => {
    const id = await action()
    const body = await render(id, {
      subject: 'As {{ it.is }}',
      headers: { from: { prefix: 'orders', domain: 'shop.example', label: 'Orders' } },
      content: { html: '<a href="https://shop.example/{{ x }}">x</a>', text: 'plain {{ x }}' },
    })
    assert.deepEqual(
      [body.subject, body.html, body.text],
      ['As {{ it.is }}', '<a href="https://shop.example/{{ x }}">x</a>', 'plain {{ x }}'],
    )
    assert.deepEqual([body.sender.value, body.sender.label], ['orders@shop.example', 'Orders'])
    const template = await render(id, { data: { x: 7 }, content: { type: 'template', html: '<p>{{ data.x }}</p>' } })
    assert.deepEqual([template.html, template.text], ['<p>7</p>', '7\n'])
    const older = await action({ settings: { templating: { version: '2' } } })
    assert.equal((await call('POST', `/actions/${older}/render`, { body: { content: { html: 'x' } } })).status, 409)
  })

  test('report a faulty or cancelling template as an error of the item', async () => {
    const id = await action({ content: { subject: 'Hi', html: '<p>\n{% for i in (1..100000000) %}x{% endfor %}</p>' } })
    const failed = await render(id, {})
    assert.deepEqual(
      [failed.type, failed.value.type, failed.value.position.part, failed.value.position.line],
      ['error', 'render', 'html', 2],
    )
    const cancelling = await action({ content: { subject: 'Hi', html: '{% cancel "no stock" %}' } })
    assert.deepEqual(await render(cancelling, {}), { type: 'error', value: { type: 'cancelled', message: 'no stock' } })
  })
})

/** What a test says of a content: the state it ends in, and its errors. */
async function tested(content: object) {
  const id = await action({ content: { subject: 'Hi', ...content } })
  await call('POST', `/actions/${id}/validation`, { body: { fortest: true, mediaForTest: 'proof@desk.example' } })
  await settle()
  const { state, informations } = await get(id)
  return { state, errors: informations.lastValidation.errors }
}

suite('values and tags', () => {
  test('<b> in a value is escaped in html and unchanged in text and subject', async () => {
    const id = await action({
      content: { subject: 'S {{ data.a }}', html: '<p>{{ data.a }}</p>', text: 'T {{ data.a }}' },
      settings: { contentFormat: 2 },
    })
    const { subject, html, text } = await render(id, { data: { a: '<b>' } })
    assert.deepEqual([subject, html, text], ['S <b>', '<p>&lt;b&gt;</p>', 'T <b>'])
  })

  test("a bare name in variables, data and fields is the variable's value", async () => {
    await call('POST', '/fields', { body: { type: 'textField', name: 'offer' } })
    await contact('bare@shop.example', { offer: 'field' })
    const id = await action({ content: { subject: '{{ offer }}', html } })
    const variables = [{ key: 'offer', value: 'variable' }]
    const data = { offer: 'data' }
    const recipient = to('bare@shop.example')
    assert.equal((await render(id, { recipient, data, variables })).subject, 'variable')
    assert.equal((await render(id, { recipient, data })).subject, 'data')
    assert.equal((await render(id, { recipient })).subject, 'field')
  })

  test('a constructor is empty, and a tag that includes another template is an error with line and column', async () => {
    const id = await action({ content: { subject: '[{{ contact.constructor }}{{ data.__proto__ }}]', html } })
    assert.equal((await render(id, {})).subject, '[]')
    const faulty = { html: '<p>one</p>\n<p>{% include "x" %}</p>' }
    const { state, errors } = await tested(faulty)
    assert.equal(state, 10)
    assert.deepEqual(errors[0].position, { line: 2, column: 4 })
    const { value } = await render(await action({ content: { subject: 'Hi', ...faulty } }), {})
    assert.deepEqual(value.position, { part: 'html', line: 2, column: 4 })
  })

  test('an endless loop in a template is an error, and the next render works', async () => {
    const endless = await action({ content: { subject: 'Hi', html: '{% for i in (1..100000000) %}{% endfor %}' } })
    assert.equal((await render(endless, {})).value.type, 'render')
    assert.equal((await render(await action({ content: { subject: 'Next', html } }), {})).subject, 'Next')
  })

  test('a template that cancels one of three contacts sends two messages and records the reason', async () => {
    const asked = ['stock1@shop.example', 'stock2@shop.example', 'stock3@shop.example']
    for (const address of asked) await contact(address)
    const body = '{% if contact.Email == "stock2@shop.example" %}{% cancel "no stock" %}{% endif %}<p>In stock</p>'
    const id = await validated(await action({ content: { subject: 'Hi', html: body } }))
    const before = gateway.sent.length
    await call('POST', `/actions/${id}/executions`, { body: asked.map((address) => ({ recipient: to(address) })) })
    await settle()
    assert.deepEqual(
      gateway.sent
        .slice(before)
        .map(({ envelope }) => envelope.to)
        .sort(),
      [asked[0], asked[2]],
    )
    const { body: cancelled } = await call('GET', `/actions/${id}/events/cancellations`)
    assert.deepEqual(
      cancelled.map((event: { source: { detail: { cancellation: object } } }) => event.source.detail.cancellation),
      [{ type: 'user defined policy', value: { type: 'render', message: 'no stock' } }],
    )
  })

  test('tracking="Disabled" keeps the link\'s address and removes the helper attributes', async () => {
    const id = await validated(
      await action({
        content: {
          subject: 'Hi',
          html: '<a href="https://shop.example/a?x=1&amp;y" tracking="Disabled" dataminingname="n" linktype="External">A</a>',
        },
      }),
    )
    const { html: shown } = await render(id, { context: { display: 1 } })
    assert.equal(shown, '<a href="https://shop.example/a?x=1&amp;y">A</a>')
  })

  test('a link in a comment or a script is unchanged byte for byte', async () => {
    const hidden =
      '<!-- <a href="https://shop.example/" tracking="Enabled">1</a> --><script>"<a href=\'https://shop.example/\'>"</script>'
    const id = await validated(await action({ content: { subject: 'Hi', html: hidden } }))
    assert.equal((await render(id, { context: { display: 1 } })).html, hidden)
  })

  test('javascript: from a value becomes #, and a literal one ends the test in state 10', async () => {
    const id = await action({ content: { subject: 'Hi', html: '<a href="{{ data.u }}">x</a>' } })
    for (const u of ['javascript:alert(1)', ' JAVA\nscript:alert(1)', 'data:text/html,x'])
      assert.equal((await render(id, { data: { u } })).html, '<a href="#">x</a>')
    const { state, errors } = await tested({ html: '<a href="javascript:alert(1)">x</a>' })
    assert.deepEqual([state, errors[0].type], [10, 'unsafe-link'])
  })
})

suite('the time zone of dates', () => {
  test("is the contact's if its field names a valid one, otherwise the account's, in renders, proofs and sends", async () => {
    const { body: field } = await call('POST', '/fields', { body: { type: 'textField', name: 'Clock' } })
    const zones: [string, string | undefined, string][] = [
      ['tokyo', 'Asia/Tokyo', '+0900'],
      ['spaced', ' +05:30 ', '+0530'],
      ['nowhere', 'Nowhere/Land', '+0000'],
      ['empty', undefined, '+0000'],
    ]
    const people = []
    for (const [name, zone] of zones)
      people.push(await contact(`${name}@zones.example`, zone === undefined ? {} : { Clock: zone }))
    await call('PUT', '/settings/contacts', { body: { timeZone: 'UTC' } })
    // A sender trusts what it read of an account for a second.
    clock.advance(2000)
    const scheduler = { timeZoneField: field.id, segments: { selected: [await segment(people)] } }
    const content = { subject: 'At {{ now | date: "%z" }}', html: '<p>x</p>' }
    const id = await action({ type: 'mailCampaign', content, scheduler })
    for (const [name, , offset] of zones)
      assert.equal((await render(id, { recipient: to(`${name}@zones.example`) })).subject, `At ${offset}`)
    const testSegments = [await segment(people, { isTest: true })]
    const tested = await call('POST', `/actions/${id}/validation`, { body: { fortest: true, testSegments } })
    assert.equal(tested.status, 204)
    await settle()
    assert.equal((await call('POST', `/actions/${id}/validation`, { body: {} })).status, 204)
    await settle()
    for (const [name, , offset] of zones) {
      const subjects = gateway
        .to(`${name}@zones.example`)
        .map(({ bytes }) => /^Subject: (.*)\r$/m.exec(String(bytes))?.[1])
      assert.deepEqual(subjects, [`[TEST] At ${offset}`, `At ${offset}`])
    }
    assert.equal((await get(id)).monitor.sent, zones.length)
  })
})

suite('renders › display flags', () => {
  test('0 shows plain targets and no pixel', async () => {
    const { html: shown } = await render(await action({ content: { subject: 'Hi', html } }), {
      context: { display: 0 },
    })
    assert.ok(shown.includes('https://shop.example/open'))
    assert.ok(!shown.includes('/t/o/'))
  })

  test('1 tracks frozen content without recording, and leaves edited content plain', async () => {
    const id = await validated(await action({ content: { subject: 'Hi', html } }))
    const tracked = (await render(id, { context: { display: 1 } })).html
    assert.match(tracked, /https:\/\/stentor\.example\/t\/r\/[\w-]{72}/)
    const flags = Buffer.from(/\/t\/r\/([\w-]{72})/.exec(tracked)?.[1] ?? '', 'base64url')[1] ?? 0
    assert.equal(flags & 32, 32)
    await call('PUT', `/actions/${id}`, { body: {} })
    assert.ok((await render(id, { context: { display: 1 } })).html.includes('href="https://shop.example/open"'))
  })

  test('2 shows the pixel, 8 the prefix and banner of a proof, and 16 unescaped values', async () => {
    const id = await action({ content: { subject: 'Hi', html: '<html><body>{{ data.a }}</body></html>' } })
    assert.match((await render(id, { context: { display: 2 } })).html, /\/t\/o\//)
    const proof = await render(id, { context: { display: 8 } })
    assert.equal(proof.subject, '[TEST] Hi')
    assert.match(proof.html, /<div[^>]*>Test<\/div>/)
    const data = { a: '<b>' }
    assert.match((await render(id, { data })).html, /&lt;b&gt;/)
    assert.match((await render(id, { data, context: { display: 16 } })).html, /<body><b><\/body>/)
  })
})

suite('renders › requests', () => {
  test("refuses over 1,000 items, malformed items and the other channel's media type", async () => {
    const id = await action()
    const url = `/actions/${id}/renders`
    assert.equal((await call('POST', url, { body: Array(1001).fill({}) })).status, 400)
    assert.equal((await call('POST', url, { body: [{ context: { display: 64 } }] })).status, 400)
    assert.equal((await call('POST', url, { body: [{ recipient: { type: 'unicity', value: 'x' } }] })).status, 400)
    const sms = { 'content-type': 'application/vnd.np6.cm.sms' }
    assert.equal((await call('POST', url, { body: '[]', headers: sms })).status, 415)
    assert.deepEqual((await call('POST', url, { body: [] })).body, [])
  })

  test('returns 300 items in order', async () => {
    const id = await action({ content: { subject: '{{ data.n }}', html: '<p>x</p>' } })
    const { body } = await call('POST', `/actions/${id}/renders`, {
      body: Array.from({ length: 300 }, (_, n) => ({ data: { n } })),
    })
    assert.deepEqual(
      body.map(({ subject }: { subject: string }) => Number(subject)),
      Array.from({ length: 300 }, (_, n) => n),
    )
  })

  test('does not show contacts of another account', async () => {
    await call('POST', '/targets', { body: { Email: 'hidden@shop.example' }, key: other.key })
    const { value } = await render(await action(), { recipient: to('hidden@shop.example') })
    assert.equal(value.type, 'recipient not found')
  })

  test('a render sends nothing to the gateway', () => {
    assert.ok(
      gateway.sent.every(({ envelope }) =>
        /^(proof@desk|sent@shop|stock[13]@shop|\w+@zones)\.example$/.test(envelope.to),
      ),
    )
  })
})

test('docs/reference/rendering.md shows the results of its examples', async () => {
  const page = readFileSync(new URL('../../../docs/reference/rendering.md', import.meta.url), 'utf8')
  const example = (name: string) =>
    JSON.parse(new RegExp(`\`\`\`json ${name}\\n(.*?)\`\`\``, 's').exec(page)?.[1] ?? '')
  await call('POST', '/fields', { body: { type: 'textField', name: 'Firstname' } })
  await contact('ann@example.org', { Firstname: 'Ann' })
  const id = await action(example('action'))
  for (const [request, result] of [
    ['request', 'result'],
    ['request-error', 'result-error'],
  ] as const)
    assert.deepEqual(differences(example(result), await render(id, example(request))), [])
})
