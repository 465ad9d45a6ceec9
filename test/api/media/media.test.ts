import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MediaResource } from '../../../src/features/media/media-schemas.ts'
import { DAY_MS } from '../../../src/lib/time/spans.ts'
import { gif, pdf, png } from '../../support/files/pictures.ts'
import { startStage } from '../../support/stages/stage.ts'

const { app, call, clock, makeKey, own, other, action, contact, segment, settle, state, validated } = await startStage()
/** What stands before the octets of every file. */
const PUBLIC = {
  'cache-control': 'public, max-age=31536000, immutable',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
}

async function upload(bytes: Buffer, { name = 'Été 1.PNG', key = own.key } = {}) {
  const headers = { 'x-key': key, 'content-type': 'application/octet-stream' }
  const url = `/media?name=${encodeURIComponent(name)}`
  const answer = await app.inject({ method: 'POST', url, headers, payload: bytes })
  return { status: answer.statusCode, body: answer.json() }
}

const open = (address: string, more: { method?: 'HEAD'; headers?: Record<string, string> } = {}) =>
  app.inject({ method: more.method ?? 'GET', url: new URL(address).pathname, headers: more.headers ?? {} })

describe('media', { timeout: 120_000 }, () => {
  test('a picture is stored with smaller copies, and is public with a year of caching', async () => {
    const bytes = await png(1300, 650)
    const { status, body } = await upload(bytes)
    assert.equal(status, 200, JSON.stringify(body))
    const media = body as MediaResource
    assert.match(media.address, /\/m\/[0-9a-f]{32}\/ete-1\.png$/)
    assert.deepEqual(
      [media.name, media.type, media.octets, media.width, media.height],
      ['ete-1.png', 'image/png', bytes.length, 1300, 650],
    )
    assert.deepEqual(
      media.sizes.map(({ width, height }) => [width, height]),
      [
        [640, 320],
        [1280, 640],
      ],
    )
    const answer = await open(media.address)
    assert.deepEqual(answer.rawPayload, bytes)
    const { headers } = answer
    const { 'x-request-id': _, date: __, connection: ___, 'keep-alive': ____, etag, ...rest } = headers
    assert.deepEqual(rest, { ...PUBLIC, 'content-type': 'image/png', 'content-length': String(bytes.length) })
    for (const { address, octets } of media.sizes) assert.equal((await open(address)).rawPayload.length, octets)
    const head = await open(media.address, { method: 'HEAD' })
    assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(bytes.length)])
    const known = { 'if-none-match': String(etag) }
    assert.equal((await open(media.address, { headers: known })).statusCode, 304)
    assert.equal((await open(media.address.replace('ete-1', 'other'))).statusCode, 404)
    assert.deepEqual((await upload(bytes, { name: 'again.png' })).body, media)
  })

  test('accounts share nothing', async () => {
    const mine = (await upload(pdf(), { name: 'terms.pdf' })).body as MediaResource
    const theirs = (await upload(pdf(), { name: 'terms.pdf', key: other.key })).body as MediaResource
    assert.notEqual(mine.address, theirs.address)
    assert.equal((await call('DELETE', `/media/${theirs.id}`)).status, 404)
    assert.equal((await call('DELETE', `/media/${theirs.id}?force=true`)).status, 404)
    assert.equal((await call('GET', `/media/${theirs.id}/links`)).status, 404)
    assert.equal((await call('GET', `/media/${theirs.id}`)).status, 404)
    assert.deepEqual((await call('GET', `/media/${mine.id}`)).body, mine)
    assert.deepEqual((await call('GET', '/media?q=terms', { key: other.key })).body, [theirs])
    for (const none of ['0', '99999999', 'terms', '1e3', '-1', '99999999999999999999'])
      assert.equal((await call('GET', `/media/${none}`)).status, 404, none)
    const {
      'x-request-id': _,
      date: __,
      connection: ___,
      'keep-alive': ____,
      etag: _e,
      ...rest
    } = (await open(mine.address)).headers
    assert.deepEqual(rest, {
      ...PUBLIC,
      'content-type': 'application/pdf',
      'content-length': String(pdf().length),
      'content-disposition': 'attachment; filename="terms.pdf"',
    })
    // What somebody else has cannot be asked for: neither by the octets nor by an address that is nearly the same.
    const ours = mine.address.match(/m\/([0-9a-f]+)/)![1]!
    assert.equal((await open(mine.address.replace(ours, ours.slice(0, -1)))).statusCode, 404)
  })

  test('are listed by name and type, in pages', async () => {
    const { body } = await call('GET', '/media?q=TERMS&type=application/pdf')
    assert.deepEqual(
      body.map(({ name }: MediaResource) => name),
      ['terms.pdf'],
    )
    assert.equal((await call('GET', '/media?type=image&limit=1')).body.length, 1)
    assert.deepEqual((await call('GET', '/media?q=nowhere')).body, [])
    const ids = (answer: { body: MediaResource[] }): number[] => answer.body.map(({ id }) => id)
    const all = ids(await call('GET', '/media'))
    const page = await call('GET', '/media?newest=true&limit=1')
    const next = /<([^>]*)>/.exec(String(page.headers['link']))![1]!
    const { pathname, search } = new URL(next, 'http://localhost')
    assert.deepEqual([...ids(page), ...ids(await call('GET', pathname + search))], all.toReversed().slice(0, 2))
    assert.equal((await call('GET', '/media?type=text/html')).status, 400)
  })

  test('other types, decompression bombs and truncated files are refused', async () => {
    const kinds = async (bytes: Buffer) => {
      const { status, body } = await upload(bytes)
      return [status, body.type]
    }
    const cut = await png(700, 700)
    assert.deepEqual(await kinds(Buffer.from('<script>')), [415, 'urn:stentor:problem:unsupported-media-type'])
    assert.deepEqual(await kinds(gif(60_000, 60_000)), [400, 'urn:stentor:problem:too-many-pixels'])
    assert.deepEqual(await kinds(Buffer.from([0xff, 0xd8, 0xff, 0xe0])), [
      400,
      'urn:stentor:problem:unreadable-picture',
    ])
    assert.deepEqual(await kinds(cut.subarray(0, 60)), [400, 'urn:stentor:problem:unreadable-picture'])
    assert.equal((await upload(Buffer.alloc(10 * 1024 * 1024 + 1))).status, 413)
    assert.equal((await upload(Buffer.alloc(0))).status, 400)
  })

  test('a file in use is not deleted and lists its uses, and force is for admins only', async () => {
    const media = (await upload(gif(2, 2), { name: 'dot.gif' })).body as MediaResource
    const html = `<html><body><img src="${media.address}"></body></html>`
    const id = await action({ name: 'With a dot', content: { subject: 'Dot', html } })
    const links = [{ type: 'action', id, name: 'With a dot' }]
    assert.deepEqual((await call('GET', `/media/${media.id}/links`)).body, links)
    const refused = await call('DELETE', `/media/${media.id}`)
    assert.deepEqual([refused.status, refused.body.links], [409, links])
    const writer = await makeKey(own.account, ['read', 'write'])
    assert.equal((await call('DELETE', `/media/${media.id}?force=true`, { key: writer })).status, 403)
    const reader = await makeKey(own.account, ['read'])
    assert.equal((await upload(pdf(), { key: reader })).status, 403)
    const admin = await makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await call('DELETE', `/media/${media.id}?force=true`, { key: admin })).status, 204)
    assert.equal((await open(media.address)).statusCode, 404)
    assert.equal((await call('DELETE', `/media/${media.id}`)).status, 404)
  })

  test('are not affected by the erasure of a contact', async () => {
    const { address } = (await upload(pdf())).body as MediaResource
    const id = await contact('ann@example.com')
    assert.equal((await call('DELETE', `/targets/${id}?erase=true`)).status, 204)
    assert.equal((await open(address)).statusCode, 200)
  })
})

describe('references that protect a file from deletion', { timeout: 120_000 }, () => {
  let made = 0
  const dot = async (): Promise<MediaResource> => (await upload(gif(1, ++made), { name: 'dot.gif' })).body
  const imageOf = ({ address }: MediaResource): string => `<html><body><img alt="" src="${address}"></body></html>`

  /** Deletes it, which is refused with these links; `GET …/links` says the same. */
  async function isKept({ id }: MediaResource, links: object[]): Promise<void> {
    const { status, body } = await call('DELETE', `/media/${id}`)
    assert.deepEqual([status, body.type, body.links], [409, 'urn:stentor:problem:media-in-use', links])
    assert.deepEqual((await call('GET', `/media/${id}/links`)).body, links)
  }

  async function isDeleted(media: MediaResource): Promise<void> {
    assert.deepEqual((await call('GET', `/media/${media.id}/links`)).body, [])
    assert.equal((await call('DELETE', `/media/${media.id}`)).status, 204)
    assert.equal((await open(media.address)).statusCode, 404)
  }

  test('a design protects a file until it shows another', async () => {
    const media = await dot()
    const theme = (await call('GET', '/designs/library?language=en')).body[0].design.theme
    const design = (src: string) => ({
      version: 1,
      theme,
      rows: [{ columns: [100], blocks: [[{ type: 'image', src, alt: 'A dot' }]] }],
    })
    const body = { name: 'Dotted', type: 'design', design: design(media.address) }
    const { id } = (await call('POST', '/designs', { body })).body
    await isKept(media, [{ type: 'design', id, name: 'Dotted' }])
    const theirs = { ...body, design: design((await dot()).address) }
    assert.equal((await call('POST', '/designs', { key: other.key, body: theirs })).status, 200)
    await call('PUT', `/designs/${id}`, { body: { design: design('https://shop.example/a.png') } })
    await isDeleted(media)
  })

  test('a version of an experiment and an RCS message protect a file', async () => {
    const media = await dot()
    const versions = [
      { id: 'a', share: 30 },
      { id: 'b', share: 30, content: { html: imageOf(media) } },
    ]
    const experiment = {
      versions,
      metric: 'clicks',
      decideAfter: { unit: 'HOUR', value: 2 },
      minimum: 10,
      decide: 'auto',
    }
    const id = await action({ type: 'mailCampaign', name: 'Two ways', settings: { experiment } })
    assert.equal((await call('POST', '/fields', { body: { name: 'Mobile', type: 'phone' } })).status, 200)
    const rich = await call('POST', '/channel/rcs/actions', {
      body: { type: 'rcsMessage', name: 'Rich', content: { type: 'text', text: `See ${media.address}` } },
    })
    assert.equal(rich.status, 200, rich.text)
    await isKept(media, [
      { type: 'action', id, name: 'Two ways' },
      { type: 'rcs', id: rich.body.id, name: 'Rich' },
    ])
  })

  test('sent messages protect a file for 400 days', async () => {
    const media = await dot()
    const selected = await segment([await contact('dot@shop.example')])
    const id = await validated(
      await action({
        type: 'mailCampaign',
        name: 'Sent once',
        content: { subject: 'Dot', html: imageOf(media) },
        scheduler: { type: 'asap', segments: { selected: [selected] } },
      }),
    )
    for (let turn = 0; turn < 3; turn++) await settle()
    assert.equal(await state(id), 60)
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    const links = [{ type: 'action', id, name: 'Sent once' }]
    await isKept(media, links)
    clock.advance(400 * DAY_MS - 60_000)
    await isKept(media, links)
    clock.advance(120_000)
    await isDeleted(media)
  })

  test('an action deleted before it was sent does not protect a file', async () => {
    const media = await dot()
    const id = await action({ name: 'Never', content: { subject: 'Dot', html: imageOf(media) } })
    await isKept(media, [{ type: 'action', id, name: 'Never' }])
    assert.equal((await call('DELETE', `/actions/${id}`)).status, 204)
    await isDeleted(media)
  })

  test('a notification protects a file, and for 400 days after its deletion', async () => {
    const media = await dot()
    const content = { title: 'A dot', body: 'Tonight', image: media.address }
    const body = { type: 'push-app', name: 'Dotted', versions: [{ master: true, content }] }
    const { id } = (await call('POST', '/notifications', { body })).body
    const links = [{ type: 'notification', id, name: 'Dotted' }]
    await isKept(media, links)
    assert.equal((await call('DELETE', `/notifications/${id}`)).status, 204)
    clock.advance(400 * DAY_MS - 60_000)
    await isKept(media, links)
    clock.advance(120_000)
    await isDeleted(media)
  })
})
