import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir, open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as written } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../lib/problem.ts'
import { brokenArchive } from './problems.ts'
import { isTar, tarEntries } from './tar.ts'
import { unzip, type ZipEntry, zipEntries } from './zip.ts'

/** One text of an upload: the file itself, what a gzip file holds, or a text file of an archive. */
export interface Text {
  name: string
  open(): AsyncIterable<Buffer>
}

/** An uploaded file, and how much may come out of it. */
export interface Upload {
  path: string
  /** Its name on the wire; the extension says what it must be. */
  name: string
  /** Bytes that may be unpacked; more is the Problem `unpacked-too-large`. */
  maxUnpacked: number
  /** Called with the number of bytes read from the file. */
  onRead: (bytes: number) => void
}

type Kind = 'plain' | 'zip' | 'gzip'

const READ_SIZE = 1 << 18
const MAGIC = [
  { kind: 'zip', bytes: Buffer.from([0x50, 0x4b, 0x03, 0x04]) },
  { kind: 'gzip', bytes: Buffer.from([0x1f, 0x8b]) },
] as const

/**
 * The texts of an upload by name, ready to be read one after the other in constant memory. A tar archive is first
 * unpacked into `scratch`, since its files can only be read in the order they were put in.
 * Throws the Problems `archive-broken`, `archive-encrypted`, `archive-without-text`, `unpacked-too-large`.
 */
export async function texts(upload: Upload, scratch: string): Promise<Text[]> {
  const kind = await kindOf(upload)
  const budget = unpackBudget(upload.maxUnpacked)
  if (kind === 'plain') return [{ name: upload.name, open: () => stored(upload) }]
  if (kind === 'zip') {
    return byName(await textEntries(upload)).map((entry) => ({
      name: entry.name,
      open: () => budget(readable(unzip(upload.path, entry, upload.onRead))),
    }))
  }
  if (await holdsTar(upload)) return byName(await unpackTar(upload, budget, scratch))
  return [{ name: upload.name, open: () => budget(gunzipped(upload)) }]
}

/** Texts of an archive that are looked into, bytes of each, and bytes that are unpacked to come to them. */
const PEEKED = { texts: 100, bytes: 1 << 20, unpacked: 1 << 28 }

/** The beginning of a text, and whether that is all of it. */
export interface Peeked {
  name: string
  head: Buffer
  isWhole: boolean
}

async function peek(name: string, chunks: AsyncIterable<Buffer>): Promise<Peeked> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    pieces.push(chunk)
    size += chunk.length
    if (size > PEEKED.bytes) break
  }
  return { name, head: Buffer.concat(pieces).subarray(0, PEEKED.bytes), isWhole: size <= PEEKED.bytes }
}

/** The beginnings of the first hundred texts of an upload, by name; of a tar archive as many as 256 MiB hold. Problems as of `texts`. */
export async function peekTexts(file: Pick<Upload, 'path' | 'name'>): Promise<Peeked[]> {
  const upload = { ...file, maxUnpacked: PEEKED.unpacked, onRead: () => {} }
  const kind = await kindOf(upload)
  if (kind === 'plain') return [await peek(upload.name, stored(upload))]
  const found: Peeked[] = []
  if (kind === 'zip') {
    for (const entry of byName(await textEntries(upload)).slice(0, PEEKED.texts)) {
      found.push(await peek(entry.name, readable(unzip(upload.path, entry, upload.onRead))))
    }
    return found
  }
  if (!(await holdsTar(upload))) return [await peek(upload.name, gunzipped(upload))]
  try {
    for await (const { name, body } of tarEntries(unpackBudget(PEEKED.unpacked)(gunzipped(upload)))) {
      if (isText(name)) found.push(await peek(name, body))
      if (found.length === PEEKED.texts) break
    }
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'unpacked-too-large')) throw error
  }
  return byName(refuseEmpty(found))
}

/** Reads an uploaded archive to its end, so that a broken one is refused with its upload. Problems as of `texts`. */
export async function inspect(upload: Upload): Promise<void> {
  const kind = await kindOf(upload)
  if (kind === 'plain') return
  const budget = unpackBudget(upload.maxUnpacked)
  try {
    if (kind === 'zip') {
      for (const entry of await textEntries(upload)) {
        await drain(budget(readable(unzip(upload.path, entry, upload.onRead))))
      }
    } else if (await holdsTar(upload)) {
      const names: string[] = []
      for await (const { name } of tarEntries(budget(gunzipped(upload)))) if (isText(name)) names.push(name)
      refuseEmpty(names)
    } else await drain(budget(gunzipped(upload)))
  } catch (error) {
    // The run checks the size: its limit may change until then.
    if (!(error instanceof Problem && error.kind === 'unpacked-too-large')) throw error
  }
}

/** What a file is by its first bytes. Throws Problem `archive-broken` for one that is an archive by name only. */
export async function kindOf({ path, name }: Pick<Upload, 'path' | 'name'>): Promise<Kind> {
  const file = await open(path)
  const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0).finally(() => file.close())
  const kind = MAGIC.find(({ bytes }) => buffer.subarray(0, bytes.length).equals(bytes))?.kind ?? 'plain'
  if (kind === 'plain' && /\.(zip|gz|tgz)$/i.test(name)) throw brokenArchive('it does not begin as an archive does')
  return kind
}

function isText(name: string): boolean {
  return /\.(csv|tsv|txt)$/i.test(name) && !basename(name).startsWith('.') && !name.startsWith('__MACOSX/')
}

function byName<T extends { name: string }>(files: T[]): T[] {
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function refuseEmpty<T>(files: T[]): T[] {
  if (files.length > 0) return files
  throw new Problem(
    400,
    'archive-without-text',
    'The archive holds no text file: put .csv, .tsv or .txt files into it.',
  )
}

async function textEntries(upload: Upload): Promise<ZipEntry[]> {
  return refuseEmpty((await zipEntries(upload.path)).filter(({ name }) => isText(name)))
}

async function* stored({ path, onRead }: Upload): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: READ_SIZE })) {
    onRead(chunk.length)
    yield chunk
  }
}

function gunzipped(upload: Upload): AsyncIterable<Buffer> {
  return readable(pipeline(stored(upload), createGunzip({ chunkSize: READ_SIZE }), () => {}))
}

/** Turns errors of zlib into the Problem `archive-broken`. */
async function* readable(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
  } catch (error) {
    const isZlib = error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')
    throw isZlib ? brokenArchive(error.message) : error
  }
}

/** Counts what is unpacked, over all texts of one upload. */
function unpackBudget(max: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  let unpacked = 0
  return async function* (chunks) {
    for await (const chunk of chunks) {
      unpacked += chunk.length
      if (unpacked > max) {
        throw new Problem(400, 'unpacked-too-large', `The archive unpacks to more than ${max} bytes: divide it.`)
      }
      yield chunk
    }
  }
}

async function holdsTar(upload: Upload): Promise<boolean> {
  const head: Buffer[] = []
  let size = 0
  for await (const chunk of gunzipped({ ...upload, onRead: () => {} })) {
    head.push(chunk)
    size += chunk.length
    if (size >= 512) break
  }
  return isTar(Buffer.concat(head).subarray(0, 512))
}

async function unpackTar(upload: Upload, budget: ReturnType<typeof unpackBudget>, scratch: string): Promise<Text[]> {
  await mkdir(scratch, { recursive: true })
  const files: Text[] = []
  for await (const { name, body } of tarEntries(budget(gunzipped(upload)))) {
    if (!isText(name)) continue
    const path = join(scratch, String(files.length))
    await written(body, createWriteStream(path))
    files.push({ name, open: () => createReadStream(path, { highWaterMark: READ_SIZE }) })
  }
  return refuseEmpty(files)
}

async function drain(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}
