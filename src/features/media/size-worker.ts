import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { parentPort, workerData } from 'node:worker_threads'
import decodeJpeg, { init as initJpegDecoder } from '@jsquash/jpeg/decode.js'
import encodeJpeg, { init as initJpegEncoder } from '@jsquash/jpeg/encode.js'
import decodePng, { init as initPngDecoder } from '@jsquash/png/decode.js'
import encodePng, { init as initPngEncoder } from '@jsquash/png/encode.js'
import resize, { initResize } from '@jsquash/resize'
import decodeWebp, { init as initWebpDecoder } from '@jsquash/webp/decode.js'
import encodeWebp, { init as initWebpEncoder } from '@jsquash/webp/encode.js'
import { Problem } from '../../lib/errors/problem.ts'
import { SVG_MEDIA_TYPE } from './media-types.ts'
import { stripPictureMetadata } from './metadata.ts'
import { redrawSvg } from './svg.ts'
import { SvgRefusedError } from './svg-tree.ts'

/** Input of the thread: a file whose header was read. */
export interface PictureSizeTask {
  type: string
  bytes: Uint8Array
}

/** The picture as everybody sees it, its own size where it was measured, and smaller copies of it. */
export interface SizedPicture {
  shown: Uint8Array
  width: number | null
  height: number | null
  copies: { width: number; height: number; bytes: Uint8Array }[]
}

/** Why the picture is not taken, in words for who sent it. */
export interface RefusedPicture {
  refused: string
}

/** Twice the width of a phone, and of the usual message. */
const COPY_WIDTHS = [640, 1280]

/** Replacement of the browser's class that the decoders create. */
class DecodedPixels {
  readonly data: Uint8ClampedArray
  readonly width: number
  readonly height: number
  readonly colorSpace = 'srgb'
  constructor(data: Uint8ClampedArray, width: number, height: number) {
    this.data = data
    this.width = width
    this.height = height
  }
}
Object.assign(globalThis, { ImageData: DecodedPixels })

const require = createRequire(import.meta.url)

async function compileModule(path: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(await readFile(require.resolve(path)))
}

interface PictureCodec {
  decode(bytes: ArrayBuffer): Promise<DecodedPixels>
  encode(pixels: DecodedPixels): Promise<ArrayBuffer>
}

const codecs: Record<string, () => Promise<PictureCodec>> = {
  async 'image/jpeg'() {
    await initJpegDecoder(await compileModule('@jsquash/jpeg/codec/dec/mozjpeg_dec.wasm'))
    await initJpegEncoder(await compileModule('@jsquash/jpeg/codec/enc/mozjpeg_enc.wasm'))
    // Turned as its camera was held.
    return {
      decode: (bytes) => decodeJpeg(bytes, { preserveOrientation: true }),
      encode: (pixels) => encodeJpeg(pixels),
    }
  },
  async 'image/png'() {
    const wasm = await compileModule('@jsquash/png/codec/pkg/squoosh_png_bg.wasm')
    await initPngDecoder(wasm)
    await initPngEncoder(wasm)
    return { decode: (bytes) => decodePng(bytes), encode: (pixels) => encodePng(pixels) }
  },
  async 'image/webp'() {
    await initWebpDecoder(await compileModule('@jsquash/webp/codec/dec/webp_dec.wasm'))
    await initWebpEncoder(await compileModule('@jsquash/webp/codec/enc/webp_enc_simd.wasm'))
    return { decode: (bytes) => decodeWebp(bytes), encode: (pixels) => encodeWebp(pixels) }
  },
}

/** Makes the copies of a picture; an animated one gets no copies, which would stand still. */
async function sizePicture({ type, bytes }: PictureSizeTask): Promise<SizedPicture> {
  const { bytes: shownBytes, isMoving: isAnimated } = stripPictureMetadata(type, Buffer.from(bytes))
  if (isAnimated) return { shown: shownBytes, width: null, height: null, copies: [] }
  const codec = await codecs[type]!()
  const pixels = await codec.decode(new Uint8Array(shownBytes).buffer)
  const { width, height } = pixels
  await initResize(await compileModule('@jsquash/resize/lib/resize/pkg/squoosh_resize_bg.wasm'))
  const copies: SizedPicture['copies'] = []
  for (const copyWidth of COPY_WIDTHS.filter((candidate) => candidate < width)) {
    const size = { width: copyWidth, height: Math.max(1, Math.round((height * copyWidth) / width)) }
    const encodedCopy = new Uint8Array(await codec.encode(await resize(pixels, size)))
    copies.push({ ...size, bytes: encodedCopy })
  }
  return { shown: shownBytes, width, height, copies }
}

/** A drawing keeps sharp at any width: it has no copies. */
function redrawDrawing({ bytes }: PictureSizeTask): SizedPicture {
  const { bytes: shownBytes, ...size } = redrawSvg(bytes)
  return { shown: shownBytes, ...size, copies: [] }
}

async function processTask(task: PictureSizeTask): Promise<SizedPicture | RefusedPicture> {
  try {
    return task.type === SVG_MEDIA_TYPE ? redrawDrawing(task) : await sizePicture(task)
  } catch (error) {
    if (error instanceof Problem) return { refused: error.detail }
    if (error instanceof SvgRefusedError) return { refused: error.message }
    throw error
  }
}

parentPort?.postMessage('loaded')
parentPort?.postMessage(await processTask(workerData as PictureSizeTask))
