import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { crc32 } from 'node:zlib'
import encodeJpeg, { init as initJpeg } from '@jsquash/jpeg/encode.js'
import encodePng, { init as initPng } from '@jsquash/png/encode.js'
import encodeWebp, { init as initWebp } from '@jsquash/webp/encode.js'

const require = createRequire(import.meta.url)
const moduleAt = async (path: string) => WebAssembly.compile(await readFile(require.resolve(path)))
await initPng(await moduleAt('@jsquash/png/codec/pkg/squoosh_png_bg.wasm'))
await initJpeg(await moduleAt('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
await initWebp(await moduleAt('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))

/** Pixels of one colour, with a stripe on the left that says how the picture is turned. */
function pixels(width: number, height: number, grey = 200) {
  const data = new Uint8ClampedArray(width * height * 4).fill(grey)
  for (let row = 0; row < height; row++) data.fill(255, row * width * 4, row * width * 4 + Math.ceil(width / 4) * 4)
  return { data, width, height, colorSpace: 'srgb' as const }
}

export async function png(width: number, height: number, grey?: number): Promise<Buffer> {
  return Buffer.from(await encodePng(pixels(width, height, grey)))
}

export async function jpeg(width: number, height: number): Promise<Buffer> {
  return Buffer.from(await encodeJpeg(pixels(width, height)))
}

export async function webp(width: number, height: number): Promise<Buffer> {
  return Buffer.from(await encodeWebp(pixels(width, height)))
}

/** A GIF of one picture, 1 × 1, on a screen of any size; `extra` stands before it. */
export function gif(width: number, height: number, extra: Buffer = Buffer.alloc(0)): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1')
  head.writeUInt16LE(width, 6)
  head.writeUInt16LE(height, 8)
  return Buffer.concat([head, extra, Buffer.from('2c00000000010001000002024401003b', 'hex')])
}

/** The least document that readers take for one; `words` make another of it. */
export const pdf = (words = ''): Buffer => Buffer.from(`%PDF-1.7\n%${words}\nstartxref\n0\n%%EOF\n`)

/** EXIF with an orientation, and a place as GPS would write it. */
export function exif(orientation: number, place: string): Buffer {
  const tiff = Buffer.concat([
    Buffer.from('49492a00080000000200', 'hex'),
    Buffer.from(`12010300010000000${orientation}000000`, 'hex'),
    Buffer.from(`10010200${Buffer.from([place.length, 0, 0, 0]).toString('hex')}26000000`, 'hex'),
    Buffer.from('00000000', 'hex'),
    Buffer.from(place, 'latin1'),
  ])
  return Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), tiff])
}

/** A segment of JPEG. */
export function segment(marker: number, content: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(content.length + 2, 2)
  return Buffer.concat([head, content])
}

/** A chunk of PNG. */
export function pngChunk(type: string, content: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(content.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** A chunk of WebP, filled to an even length. */
export function webpChunk(type: string, content: Buffer): Buffer {
  const head = Buffer.from(`${type}\0\0\0\0`, 'latin1')
  head.writeUInt32LE(content.length, 4)
  return Buffer.concat([head, content, Buffer.alloc(content.length % 2)])
}
