import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { describe, test } from 'node:test'
import decodeJpeg, { init } from '@jsquash/jpeg/decode.js'
import type { MediaResource } from '../../../src/features/media/media-schemas.ts'
import { readThreadCpuMs } from '../../../src/lib/concurrency/thread-limit.ts'
import { exif, gif, jpeg, pdf, png, pngChunk, segment, webp, webpChunk } from '../../support/files/pictures.ts'
import { startStage } from '../../support/stages/stage.ts'

const { app, own } = await startStage()
const PLACE = '48.8566N 2.3522E'

const wasm = createRequire(import.meta.url).resolve('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm')
await init(await WebAssembly.compile(await readFile(wasm)))
class Pixels {
  data: Uint8ClampedArray
  width: number
  height: number
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    Object.assign(this, { data, width, height })
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: Pixels })

async function upload(bytes: Buffer) {
  const headers = { 'x-key': own.key, 'content-type': 'application/octet-stream' }
  const answer = await app.inject({ method: 'POST', url: '/media?name=photo', headers, payload: bytes })
  return { status: answer.statusCode, body: answer.json() }
}

const octets = async (address: string): Promise<Buffer> =>
  (await app.inject({ url: new URL(address).pathname })).rawPayload

/** Uploads a picture that says where it was made; gives it with what everybody gets of it. */
async function published(bytes: Buffer): Promise<{ media: MediaResource; files: Buffer[] }> {
  assert.ok(bytes.includes(PLACE))
  const { status, body } = await upload(bytes)
  assert.equal(status, 200, JSON.stringify(body))
  const addresses = [body.address, ...body.sizes.map(({ address }: { address: string }) => address)]
  const files = await Promise.all(addresses.map(octets))
  assert.deepEqual(
    files.map((file) => file.includes(PLACE)),
    files.map(() => false),
  )
  return { media: body, files }
}

const measures = ({ type, width, height, sizes }: MediaResource) => [
  type,
  width,
  height,
  sizes.map((size) => [size.width, size.height]),
]

const after = (bytes: Buffer, at: number, extra: Buffer): Buffer =>
  Buffer.concat([bytes.subarray(0, at), extra, bytes.subarray(at)])

describe('the metadata of pictures', { timeout: 120_000 }, () => {
  test('a JPEG loses location, comments and trailing data, and keeps its orientation', async () => {
    const bare = await jpeg(800, 1400)
    const noted = after(bare, 2, Buffer.concat([segment(0xe1, exif(6, PLACE)), segment(0xfe, Buffer.from(PLACE))]))
    const photo = Buffer.concat([noted, segment(0xe2, Buffer.from(`MPF\0${PLACE}`)), Buffer.from(PLACE)])
    const { media, files } = await published(photo)
    assert.deepEqual(measures(media), [
      'image/jpeg',
      1400,
      800,
      [
        [640, 366],
        [1280, 731],
      ],
    ])
    const [file, copy] = files as [Buffer, Buffer]
    // The picture itself is untouched; a segment of 36 octets says how it was held.
    assert.equal(file.length, bare.length + 36)
    assert.equal(media.octets, file.length)
    const turned = await decodeJpeg(new Uint8Array(file).buffer, { preserveOrientation: true })
    assert.deepEqual([turned.width, turned.height], [1400, 800])
    const small = await decodeJpeg(new Uint8Array(copy).buffer, { preserveOrientation: true })
    assert.deepEqual([small.width, small.height], [640, 366])
    const plain = (await upload(bare)).body as MediaResource
    assert.deepEqual(await octets(plain.address), bare)
    assert.deepEqual(measures(plain), ['image/jpeg', 800, 1400, [[640, 1120]]])
  })

  test('a PNG loses its texts and EXIF', async () => {
    const bare = await png(700, 350)
    const noted = [
      pngChunk('tEXt', Buffer.from(`Location\0${PLACE}`)),
      pngChunk('eXIf', exif(1, PLACE).subarray(6)),
      pngChunk('iTXt', Buffer.from(`XML:com.adobe.xmp\0\0\0\0\0${PLACE}`)),
    ]
    const { media, files } = await published(Buffer.concat([after(bare, 33, Buffer.concat(noted)), Buffer.from(PLACE)]))
    assert.deepEqual(measures(media), ['image/png', 700, 350, [[640, 320]]])
    assert.deepEqual(files[0], bare)
  })

  test('a WebP loses EXIF and XMP, and gets copies', async () => {
    const bare = await webp(700, 350)
    const chunks = bare.subarray(12)
    const extended = Buffer.from('0c000000bb02005d0100', 'hex')
    const body = [
      webpChunk('VP8X', extended),
      chunks,
      webpChunk('EXIF', exif(1, PLACE)),
      webpChunk('XMP ', Buffer.from(PLACE)),
    ]
    const file = (parts: Buffer[]): Buffer => webpChunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...parts]))
    const { media, files } = await published(file(body))
    assert.deepEqual(measures(media), ['image/webp', 700, 350, [[640, 320]]])
    extended[0] = 0
    assert.deepEqual(files[0], file([webpChunk('VP8X', extended), chunks]))
  })

  test('a GIF loses comments, keeps its animation, and gets no copies', async () => {
    const loop = Buffer.from(`\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0`, 'latin1')
    const comment = Buffer.concat([Buffer.from([0x21, 0xfe, PLACE.length]), Buffer.from(PLACE), Buffer.from([0])])
    const xmp = Buffer.concat([Buffer.from('\x21\xff\x0bXMP DataXMP', 'latin1'), comment.subarray(2)])
    const { media, files } = await published(gif(1300, 40, Buffer.concat([loop, comment, xmp])))
    assert.deepEqual(measures(media), ['image/gif', 1300, 40, []])
    assert.deepEqual(files[0], gif(1300, 40, loop))
  })

  test('an animated picture gets no copies', async () => {
    const frames = after(await png(700, 10), 33, pngChunk('acTL', Buffer.from('0000000100000000', 'hex')))
    assert.deepEqual(measures((await upload(frames)).body), ['image/png', 700, 10, []])
  })
})

const WHOLE = [
  ['PNG', await png(700, 700), 'picture'],
  ['JPEG', await jpeg(700, 700), 'picture'],
  ['WebP', await webp(700, 700), 'picture'],
  ['GIF', gif(3, 3), 'picture'],
  ['PDF', pdf(), 'document'],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9v9z"/></svg>'), 'picture'],
] as const

describe('truncated files', { timeout: 120_000 }, () => {
  for (const [name, bytes, type] of WHOLE)
    test(`a ${name} cut off anywhere is refused, and a whole one is accepted`, async () => {
      const cuts = [0.3, 0.6, 0.9].map((part) => Math.max(40, Math.floor(bytes.length * part)))
      for (const cut of cuts.filter((place) => place < bytes.length - 2)) {
        const { status, body } = await upload(bytes.subarray(0, cut))
        assert.deepEqual([status, body.type], [400, `urn:stentor:problem:unreadable-${type}`], `cut at ${cut}`)
        assert.match(body.detail, /truncated/)
      }
      assert.equal((await upload(bytes)).status, 200)
    })
})

const many = (count: number, part: Buffer): Buffer => Buffer.alloc(count * part.length, part)
const IN_PARTS = {
  'GIF of 500,000 frames': gif(1, 1, many(500_000, Buffer.from('2c0000000001000100000202440100', 'hex'))),
  'PNG of 300,000 chunks': after(
    WHOLE.find(([name]) => name === 'PNG')![1],
    33,
    many(300_000, pngChunk('sRGB', Buffer.of(0))),
  ),
}

describe('pictures in very many parts', { timeout: 120_000 }, () => {
  for (const [name, bytes] of Object.entries(IN_PARTS))
    test(`a ${name} is refused, and not read by the main thread`, async () => {
      const before = readThreadCpuMs()
      const { status, body } = await upload(bytes)
      const ms = readThreadCpuMs() - before
      assert.deepEqual([status, body.type], [400, 'urn:stentor:problem:unreadable-picture'])
      assert.match(body.detail, /more than 10000 parts/)
      assert.ok(ms < 500, `${ms} ms of processor time`)
    })
})
