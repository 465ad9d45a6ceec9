import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import encodePng, { init } from '@jsquash/png/encode.js'
import type { Media } from '../../src/features/media/media-schemas.ts'
import { startStage } from '../stage.ts'

const { app, call, makeKey, own, other, action, contact } = await startStage()
const DAY = 'public, max-age=31536000, immutable'

const wasm = createRequire(import.meta.url).resolve('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')
await init(await WebAssembly.compile(await readFile(wasm)))

async function png(width: number, height: number): Promise<Buffer> {
  const data = new Uint8ClampedArray(width * height * 4).fill(200)
  return Buffer.from(await encodePng({ data, width, height, colorSpace: 'srgb' }))
}

async function upload(bytes: Buffer, { name = 'Été 1.PNG', key = own.key } = {}) {
  const headers = { 'x-key': key, 'content-type': 'application/octet-stream' }
  const url = `/media?name=${encodeURIComponent(name)}`
  const answer = await app.inject({ method: 'POST', url, headers, payload: bytes })
  return { status: answer.statusCode, body: answer.json() }
}

const open = (address: string, more: { method?: 'HEAD'; headers?: Record<string, string> } = {}) =>
  app.inject({ method: more.method ?? 'GET', url: new URL(address).pathname, headers: more.headers ?? {} })

const pdf = Buffer.from('%PDF-1.7\n')
const gif = (width: number, height: number): Buffer => {
  const bytes = Buffer.from('GIF89a\0\0\0\0\0\0\0')
  bytes.writeUInt16LE(width, 6)
  bytes.writeUInt16LE(height, 8)
  return bytes
}

describe('media', { timeout: 120_000 }, () => {
  test('a picture is kept with smaller copies, and public with a year of caching', async () => {
    const bytes = await png(1300, 650)
    const { status, body } = await upload(bytes)
    assert.equal(status, 200, JSON.stringify(body))
    const media = body as Media
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
    assert.deepEqual(
      [headers['content-type'], headers['cache-control'], headers['x-content-type-options']],
      ['image/png', DAY, 'nosniff'],
    )
    assert.equal(headers['content-security-policy'], "default-src 'none'; style-src 'unsafe-inline'; sandbox")
    for (const { address, octets } of media.sizes) assert.equal((await open(address)).rawPayload.length, octets)
    const head = await open(media.address, { method: 'HEAD' })
    assert.deepEqual([head.statusCode, head.headers['content-length']], [200, String(bytes.length)])
    const known = { 'if-none-match': String(headers['etag']) }
    assert.equal((await open(media.address, { headers: known })).statusCode, 304)
    assert.equal((await open(media.address.replace('ete-1', 'other'))).statusCode, 404)
    assert.deepEqual((await upload(bytes, { name: 'again.png' })).body, media)
  })

  test('accounts share nothing', async () => {
    const mine = (await upload(pdf, { name: 'terms.pdf' })).body as Media
    const theirs = (await upload(pdf, { name: 'terms.pdf', key: other.key })).body as Media
    assert.notEqual(mine.address, theirs.address)
    assert.equal((await call('DELETE', `/media/${theirs.id}`)).status, 404)
    assert.equal((await call('GET', `/media/${theirs.id}/links`)).status, 404)
    const answer = await open(mine.address)
    assert.equal(answer.headers['content-disposition'], 'attachment; filename="terms.pdf"')
  })

  test('are listed by name and type, in pages', async () => {
    const { body } = await call('GET', '/media?q=TERMS&type=application/pdf')
    assert.deepEqual(
      body.map(({ name }: Media) => name),
      ['terms.pdf'],
    )
    assert.equal((await call('GET', '/media?type=image&limit=1')).body.length, 1)
    assert.deepEqual((await call('GET', '/media?q=nowhere')).body, [])
    assert.equal((await call('GET', '/media?type=text/html')).status, 400)
  })

  test('other types, bombs and files that are cut off are refused', async () => {
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

  test('what is used stays, and says where; force is for admins', async () => {
    const media = (await upload(gif(2, 2), { name: 'dot.gif' })).body as Media
    const html = `<html><body><img src="${media.address}"></body></html>`
    const id = await action({ name: 'With a dot', content: { subject: 'Dot', html } })
    const links = [{ type: 'action', id, name: 'With a dot' }]
    assert.deepEqual((await call('GET', `/media/${media.id}/links`)).body, links)
    const refused = await call('DELETE', `/media/${media.id}`)
    assert.deepEqual([refused.status, refused.body.links], [409, links])
    const writer = await makeKey(own.account, ['read', 'write'])
    assert.equal((await call('DELETE', `/media/${media.id}?force=true`, { key: writer })).status, 403)
    const reader = await makeKey(own.account, ['read'])
    assert.equal((await upload(pdf, { key: reader })).status, 403)
    const admin = await makeKey(own.account, ['read', 'write', 'admin'])
    assert.equal((await call('DELETE', `/media/${media.id}?force=true`, { key: admin })).status, 204)
    assert.equal((await open(media.address)).statusCode, 404)
    assert.equal((await call('DELETE', `/media/${media.id}`)).status, 404)
  })

  test('erasing a contact leaves them', async () => {
    const { address } = (await upload(pdf)).body as Media
    const id = await contact('ann@example.com')
    assert.equal((await call('DELETE', `/targets/${id}?erase=true`)).status, 204)
    assert.equal((await open(address)).statusCode, 200)
  })
})
