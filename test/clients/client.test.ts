import assert from 'node:assert/strict'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, suite, test } from 'node:test'
import { createStentor, StentorError, verifyWebhook, WebhookError } from '../../clients/typescript/src/index.ts'
import { startSink } from '../fakes/mail/smtp-sink.ts'
import { startReceiver } from '../fakes/web/webhook-receiver.ts'
import { KEY, prepareService } from '../support/processes/process.ts'
import { eventually } from '../support/wait.ts'

const sink = await startSink()
const receiver = await startReceiver()
const service = await prepareService(
  { after },
  { STENTOR_SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=none`, STENTOR_OUTGOING_ALLOW: receiver.host },
)
after(() => Promise.all([sink.close(), receiver.close()]))
await service.start()
const stentor = createStentor({ url: `${service.url}/`, key: KEY })

async function refusal(work: Promise<unknown>): Promise<StentorError> {
  const error = await work.then(
    () => assert.fail('nothing was refused'),
    (thrown) => thrown,
  )
  assert.ok(error instanceof StentorError, String(error))
  return error
}

suite('a campaign through the client', () => {
  test('is created, tested, validated and sent, and its events are read', async () => {
    const contacts: string[] = []
    for (const name of ['ann', 'ben', 'cleo']) {
      const { id } = await stentor.createTarget({ body: { Email: `${name}@campaign.example` } })
      contacts.push(id)
    }
    const segment = await stentor.createSegment({ body: { type: 'static', name: 'Readers' } })
    assert.equal(await stentor.addSegmentTargets({ path: { id: String(segment.id) }, body: contacts }), 3)
    const category = await stentor.createCategory({ body: { name: 'News' } })
    const { id } = await stentor.createAction({
      body: {
        type: 'mailCampaign',
        name: 'Spring',
        informations: { category: category.id },
        content: { subject: 'Hello {{ contact.Email }}', html: '<p>Come in.</p>' },
        scheduler: { type: 'asap', segments: { selected: [segment.id] } },
      },
    })
    const path = { id }
    await stentor.validateAction({ path, body: { fortest: true, mediaForTest: 'proof@campaign.example' } })
    await stentor.validateAction({ path, body: { fortest: false } })
    await eventually(async () => (await stentor.getAction({ path })).state === 60)
    const activations = await Array.fromAsync(stentor.items(stentor.listActionActivationEvents, { path }))
    const sent = activations.filter(({ source }) => JSON.stringify(source).includes('"campaign"'))
    assert.equal(sent.length, 3)
    const received = sink.messages.flatMap(({ to }) => to).filter((address) => address !== 'proof@campaign.example')
    assert.deepEqual(received.sort(), ['ann@campaign.example', 'ben@campaign.example', 'cleo@campaign.example'])
  })
})

suite('client lists', async () => {
  const names = Array.from({ length: 7 }, (_, n) => `List ${n}`)
  for (const name of names) await stentor.createCategory({ body: { name } })

  test('pages follow the cursors with the requested size', async () => {
    const all = await stentor.listCategories()
    const sizes: number[] = []
    const read: string[] = []
    for await (const page of stentor.pages(stentor.listCategories, { query: { limit: 3 } })) {
      sizes.push(page.length)
      read.push(...page.map(({ name }) => name))
    }
    assert.deepEqual(
      read,
      all.map(({ name }) => name),
    )
    assert.ok(sizes.length >= 3 && sizes.slice(0, -1).every((size) => size === 3), String(sizes))
  })

  test('no more items are requested than the caller reads', async () => {
    const asked: string[] = []
    const watched = createStentor({
      url: service.url,
      key: KEY,
      fetch: (input, init) => {
        asked.push(new Request(input, init).url)
        return fetch(input, init)
      },
    })
    for await (const { name } of watched.items(watched.listCategories, { query: { limit: 2 } }))
      if (name === names[2]) break
    const all = await stentor.listCategories()
    const place = all.findIndex(({ name }) => name === names[2])
    assert.equal(asked.length, Math.floor(place / 2) + 1)
    assert.ok(asked.slice(1).every((url) => url.includes('after=')))
  })

  test('lines read the whole history in one request, one record at a time', async () => {
    const campaign = await stentor.createDisplayCampaign({ body: { name: 'Banners' } })
    const body = { name: 'Banner', campaign: campaign.id, url: 'https://shop.example/' }
    const content = await stentor.createDisplayContent({ body })
    const placement = await stentor.createDisplayPlacement({ body: { name: 'Home' } })
    const tags = await stentor.getDisplayContentTags({ path: { id: content.id }, query: { placement: placement.id } })
    for (let n = 0; n < 5; n++) await fetch(service.url + new URL(tags.impression).pathname)
    const whole = await stentor.listAllDisplayActivationEvents()
    assert.equal(whole.length, 5)
    const lines = await Array.fromAsync(stentor.lines(stentor.listAllDisplayActivationEvents))
    assert.deepEqual(lines, whole)
  })

  test('an operation without lines throws an error that says so', async () => {
    await assert.rejects(Array.fromAsync(stentor.lines(stentor.listCategories)), /answers no lines: read its pages/)
  })
})

suite('client errors', () => {
  test('have the members of the problem', async () => {
    const missing = await refusal(stentor.getCategory({ path: { id: '999999' } }))
    assert.deepEqual(
      [missing.status, missing.type, missing.kind, missing.title, missing.detail, missing.errors],
      [404, 'urn:stentor:problem:not-found', 'not-found', 'Not Found', 'There is no category 999999.', []],
    )
    assert.match(missing.instance ?? '', /./)
    assert.equal(missing.message, '404 Not Found: There is no category 999999.')
  })

  test('name the invalid members of the body', async () => {
    const wrong = await refusal(stentor.createCategory({ body: { name: 7 as unknown as string } }))
    assert.deepEqual([wrong.status, wrong.errors.map(({ pointer }) => pointer)], [400, ['/name']])
  })

  test('are thrown without a key and for an empty response body', async () => {
    assert.equal((await refusal(createStentor({ url: service.url }).listCategories())).status, 401)
    const unknown = await refusal(stentor.getTargets({ query: { unicity: 'nobody@campaign.example' } }))
    assert.deepEqual([unknown.status, unknown.type, unknown.title], [404, 'about:blank', 'Not Found'])
  })
})

suite('client uploads', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'stentor-upload-'))
  after(() => rm(directory, { recursive: true }))
  const csv = (name: string): string => `Email\n${name}-1@upload.example\n${name}-2@upload.example\n`

  async function importOf(name: string): Promise<{ id: string }> {
    return { id: String((await stentor.createImport({ body: { name } })).id) }
  }

  test('text, bytes, a file on disk, a stream and a function can be uploaded for an import', async () => {
    const file = join(directory, 'people.csv')
    await writeFile(file, csv('blob'))
    const sources = {
      text: csv('text'),
      bytes: new TextEncoder().encode(csv('bytes')),
      blob: await openAsBlob(file),
      stream: Readable.from([
        Buffer.from('Email\nstream-1@upload.example\n'),
        Buffer.from('stream-2@upload.example\n'),
      ]),
      made: () => csv('made'),
    }
    for (const [name, source] of Object.entries(sources)) {
      const path = await importOf(name)
      const asked = { path, filename: `${name} é.csv`, type: 'text/csv', headers: { prefer: 'wait=30' } }
      const { state, created } = await stentor.upload(stentor.executeImport, source, asked)
      assert.deepEqual([name, state, created], [name, 1, 2])
      const { source: stored } = await stentor.getImport({ path })
      assert.ok(stored.filename?.endsWith(`_${name} é.csv`), String(stored.filename))
    }
  })

  test('a source can be uploaded first and run later', async () => {
    const path = await importOf('later')
    await stentor.upload(stentor.uploadImportSource, csv('later'), { path, filename: 'later.csv' })
    const { created } = await stentor.executeImport({ path, headers: { prefer: 'wait=30' } })
    assert.equal(created, 2)
  })
})

suite('client webhooks', async () => {
  const made = await stentor.createWebhook({ body: { name: 'shop', url: receiver.url, events: ['target.created'] } })
  /** The delivery of a new contact: those of the imports come too. */
  async function deliveredOf(email: string) {
    const { id } = await stentor.createTarget({ body: { Email: email } })
    const delivered = await eventually(() => receiver.received.find(({ body }) => body.data.contact === id))
    return { id, ...delivered }
  }

  const { id: contact, headers, text: body } = await deliveredOf('hooked@shop.example')
  const { secret } = made

  test('a delivery is verified as text and as bytes', async () => {
    const event = await verifyWebhook<{ contact: string }>({ headers, body, secret })
    assert.deepEqual([event.type, event.data.contact, event.id], ['target.created', contact, headers['webhook-id']])
    assert.deepEqual(await verifyWebhook({ headers, body: Buffer.from(body), secret }), event)
    const web = new Headers(headers as Record<string, string>)
    assert.deepEqual(
      await verifyWebhook({ headers: web, body, secret: [`whsec_${btoa('x'.repeat(32))}`, secret] }),
      event,
    )
  })

  test('a delivery that was changed, has another secret, is unsigned or is too old is refused', async () => {
    const refused = (request: Parameters<typeof verifyWebhook>[0]) =>
      assert.rejects(verifyWebhook(request), WebhookError)
    await refused({ headers, body: body.replace(contact, '00000000'), secret })
    await refused({ headers, body, secret: `whsec_${btoa('x'.repeat(32))}` })
    await refused({ headers: { ...headers, 'webhook-id': 'another' }, body, secret })
    await refused({ headers: { ...headers, 'webhook-signature': undefined }, body, secret })
    await refused({ headers: { ...headers, 'webhook-signature': 'v1,%' }, body, secret })
    const time = String(Number(headers['webhook-timestamp']) - 600)
    await assert.rejects(
      verifyWebhook({ headers: { ...headers, 'webhook-timestamp': time }, body, secret }),
      /time of the request is too far/,
    )
  })

  test('both secrets are valid after a rotation', async () => {
    const rotated = await stentor.renewWebhookSecret({ path: { id: made.id } })
    const { id, headers, text: body } = await deliveredOf('rotated@shop.example')
    for (const one of [secret, rotated.secret]) {
      const { data } = await verifyWebhook<{ contact: string }>({ headers, body, secret: one })
      assert.equal(data.contact, id)
    }
  })
})
