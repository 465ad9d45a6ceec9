import { createReadStream, createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream'
import { pipeline as written } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { Problem } from '../../../lib/errors/problem.ts'
import type { ImportLine } from '../run/lines.ts'
import { createByteQueue } from './byte-queue.ts'
import { detectFileHeadKind, detectFileKind, FILE_MAGIC_BYTES, isImportableText } from './file-kind.ts'
import { brokenArchiveProblem } from './file-problems.ts'
import { isTarHeader, readTarEntries } from './tar.ts'
import { createUnpackBudget, type UnpackBudget } from './unpack-budget.ts'
import { type ImportWorkbook, isWorkbook, openWorkbook } from './workbook.ts'
import { convertZlibErrors, listZipEntries, unzipEntry, type ZipEntry } from './zip.ts'

/** The content of a text of an upload: bytes, or a workbook if its first bytes are those of one. */
export type UploadTextContent = { bytes: AsyncIterable<Buffer> } | { workbook: ImportWorkbook }

/** One text of an upload: the file itself, what a gzip file holds, or a text file or workbook of an archive. */
export interface UploadText {
  name: string
  open(): Promise<UploadTextContent>
}

/** An uploaded file, and how much may come out of it. */
export interface ImportUpload {
  path: string
  /** Its name on the wire; the extension says what it must be. */
  name: string
  /** Bytes that may be unpacked; more is the Problem `unpacked-too-large`. */
  maxUnpacked: number
  /** Called with the number of bytes read from the file. */
  onRead: (bytes: number) => void
}

const READ_CHUNK_BYTES = 1 << 18
/**
 * The texts of an upload by name, ready to be read one after the other in constant memory. A tar archive is first
 * unpacked into `scratch`, since its files can only be read in the order they were put in.
 * Throws the Problems `archive-broken`, `archive-encrypted`, `archive-without-text`, `unpacked-too-large`.
 */
export async function listUploadTexts(upload: ImportUpload, scratch: string): Promise<UploadText[]> {
  const kind = await detectFileKind(upload)
  const budget = createUnpackBudget(upload.maxUnpacked)
  const unpacking = { name: upload.name, scratch, budget }
  if (kind === 'plain') return [{ name: upload.name, open: async () => ({ bytes: streamStoredFile(upload) }) }]
  if (kind === 'zip') {
    const entries = await listZipEntries(upload.path)
    if (isWorkbook(entries)) return [{ name: upload.name, open: () => openUploadWorkbook(upload, entries, unpacking) }]
    return sortByName(selectTextEntries(entries)).map((entry) => ({
      name: entry.name,
      open: () =>
        openUnpackedContent(budget.of(unzipEntry(upload.path, entry, upload.onRead)), {
          ...unpacking,
          name: entry.name,
        }),
    }))
  }
  if (await containsTar(upload)) return sortByName(await unpackTarTexts(upload, unpacking))
  return [
    {
      name: upload.name,
      open: () =>
        openUnpackedContent(budget.of(gunzipUpload(upload)), { ...unpacking, name: stripGzipExtension(upload) }),
    },
  ]
}

/** The name of what a gzip file holds. */
const stripGzipExtension = ({ name }: ImportUpload): string => name.replace(/\.t?gz$/i, '')

/** A text of an upload by its name, a folder to unpack into, and what may be unpacked. */
interface UnpackTarget {
  name: string
  scratch: string
  budget: UnpackBudget
}

async function openUploadWorkbook(
  { path, onRead }: Pick<ImportUpload, 'path' | 'onRead'>,
  entries: readonly ZipEntry[],
  { scratch, budget }: UnpackTarget,
): Promise<UploadTextContent> {
  await mkdir(scratch, { recursive: true })
  return { workbook: await openWorkbook({ path, entries, scratch: join(scratch, 'strings'), budget, onRead }) }
}

/** Opens unpacked bytes. Those of a workbook are first written to a file, because a zip archive is read from its end. */
async function openUnpackedContent(chunks: AsyncIterable<Buffer>, unpacking: UnpackTarget): Promise<UploadTextContent> {
  const { kind, bytes } = await detectChunksKind(chunks, unpacking.name)
  if (kind !== 'zip') return { bytes }
  await mkdir(unpacking.scratch, { recursive: true })
  const path = join(unpacking.scratch, 'workbook')
  await written(bytes, createWriteStream(path))
  const entries = await listZipEntries(path)
  if (!isWorkbook(entries)) throw brokenArchiveProblem(`it contains another archive, "${unpacking.name}"`)
  return openUploadWorkbook({ path, onRead: () => {} }, entries, unpacking)
}

/** Detects the kind of bytes by the first of them; returns it with all bytes. Throws as `detectFileKind`, and then closes them. */
async function detectChunksKind(chunks: AsyncIterable<Buffer>, name: string) {
  const queue = createByteQueue(chunks)
  const firstBytes = await queue.take(FILE_MAGIC_BYTES)
  const bytes = (async function* () {
    try {
      yield firstBytes
      yield* queue.pieces(Number.POSITIVE_INFINITY)
    } finally {
      await queue.close()
    }
  })()
  try {
    return { kind: detectFileHeadKind(firstBytes, name), bytes }
  } catch (error) {
    await queue.close()
    throw error
  }
}

/** Texts of an archive that are looked into, bytes of each, and bytes that are unpacked to come to them. */
const PEEK_LIMITS = { texts: 100, bytes: 1 << 20, unpacked: 1 << 28 }

/** The beginning of a text, and whether that is all of it; or that of a sheet of a workbook. */
export type PeekedText = { name: string } & ({ head: Buffer; isWhole: boolean } | PeekedSheet)

/** The first lines of a sheet, its name, and those of all that are not hidden. */
export interface PeekedSheet {
  lines: ImportLine[]
  sheet: string
  sheets: string[]
}

/** The name of the sheet of a workbook that is looked into. */
export type ChooseSheet = (workbook: Pick<ImportWorkbook, 'sheets' | 'find'>) => string

async function peekText(name: string, content: UploadTextContent, choose: ChooseSheet): Promise<PeekedText> {
  if ('workbook' in content) {
    const { workbook } = content
    const sheet = choose(workbook)
    return { name, sheet, sheets: workbook.sheets, lines: await workbook.head(sheet) }
  }
  return { name, ...(await readBeginning(content.bytes)) }
}

async function readBeginning(chunks: AsyncIterable<Buffer>): Promise<{ head: Buffer; isWhole: boolean }> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of chunks) {
    pieces.push(chunk)
    size += chunk.length
    if (size > PEEK_LIMITS.bytes) break
  }
  return { head: Buffer.concat(pieces).subarray(0, PEEK_LIMITS.bytes), isWhole: size <= PEEK_LIMITS.bytes }
}

/**
 * The beginnings of the first hundred texts of an upload, by name; of a tar archive as many as 256 MiB hold. `scratch`: a folder to
 * unpack workbooks into. Problems as of `listUploadTexts`.
 */
export async function peekUploadTexts(
  file: Pick<ImportUpload, 'path' | 'name'>,
  scratch: string,
  choose: ChooseSheet,
): Promise<PeekedText[]> {
  const limitedUpload = { ...file, maxUnpacked: PEEK_LIMITS.unpacked, onRead: () => {} }
  if ((await detectFileKind(limitedUpload)) === 'gzip' && (await containsTar(limitedUpload)))
    return peekTarTexts(limitedUpload, scratch, choose)
  const beginnings: PeekedText[] = []
  for (const { name, open: openText } of (await listUploadTexts(limitedUpload, scratch)).slice(0, PEEK_LIMITS.texts)) {
    beginnings.push(await peekText(name, await openText(), choose))
  }
  return beginnings
}

async function peekTarTexts(upload: ImportUpload, scratch: string, choose: ChooseSheet): Promise<PeekedText[]> {
  const beginnings: PeekedText[] = []
  const budget = createUnpackBudget(upload.maxUnpacked)
  try {
    for await (const { name, body } of readTarEntries(budget.of(gunzipUpload(upload)))) {
      if (isImportableText(name))
        beginnings.push(await peekText(name, await openUnpackedContent(body, { name, scratch, budget }), choose))
      if (beginnings.length === PEEK_LIMITS.texts) break
    }
  } catch (error) {
    if (!(error instanceof Problem && error.kind === 'unpacked-too-large')) throw error
  }
  return sortByName(requireFiles(beginnings))
}

/** Reads an uploaded archive to its end, so that a broken one is refused with its upload. Problems as of `listUploadTexts`. */
export async function verifyArchive(upload: ImportUpload): Promise<void> {
  const kind = await detectFileKind(upload)
  if (kind === 'plain') return
  const budget = createUnpackBudget(upload.maxUnpacked)
  try {
    if (kind === 'zip') await inspectZipEntries(upload, budget)
    else if (await containsTar(upload)) {
      const names: string[] = []
      for await (const { name } of readTarEntries(budget.of(gunzipUpload(upload))))
        if (isImportableText(name)) names.push(name)
      requireFiles(names)
    } else
      await drainChunks((await detectChunksKind(budget.of(gunzipUpload(upload)), stripGzipExtension(upload))).bytes)
  } catch (error) {
    // The run checks the size: its limit may change until then.
    if (!(error instanceof Problem && error.kind === 'unpacked-too-large')) throw error
  }
}

async function inspectZipEntries(upload: ImportUpload, budget: UnpackBudget): Promise<void> {
  const entries = await listZipEntries(upload.path)
  if (isWorkbook(entries)) {
    const { path, onRead } = upload
    return (await openWorkbook({ path, entries, scratch: '', budget, onRead })).check()
  }
  for (const entry of selectTextEntries(entries)) {
    const { bytes } = await detectChunksKind(budget.of(unzipEntry(upload.path, entry, upload.onRead)), entry.name)
    await drainChunks(bytes)
  }
}

function sortByName<T extends { name: string }>(files: T[]): T[] {
  return files.toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function requireFiles<T>(files: T[]): T[] {
  if (files.length > 0) return files
  throw new Problem(
    400,
    'archive-without-text',
    'The archive contains no file that can be imported. Add .csv, .tsv, .txt or .xlsx files to it.',
  )
}

function selectTextEntries(entries: ZipEntry[]): ZipEntry[] {
  return requireFiles(entries.filter(({ name }) => isImportableText(name)))
}

async function* streamStoredFile({ path, onRead }: ImportUpload): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, { highWaterMark: READ_CHUNK_BYTES })) {
    onRead(chunk.length)
    yield chunk
  }
}

function gunzipUpload(upload: ImportUpload): AsyncIterable<Buffer> {
  return convertZlibErrors(pipeline(streamStoredFile(upload), createGunzip({ chunkSize: READ_CHUNK_BYTES }), () => {}))
}

async function containsTar(upload: ImportUpload): Promise<boolean> {
  const headChunks: Buffer[] = []
  let size = 0
  for await (const chunk of gunzipUpload({ ...upload, onRead: () => {} })) {
    headChunks.push(chunk)
    size += chunk.length
    if (size >= 512) break
  }
  return isTarHeader(Buffer.concat(headChunks).subarray(0, 512))
}

async function unpackTarTexts(upload: ImportUpload, unpacking: UnpackTarget): Promise<UploadText[]> {
  const { scratch, budget } = unpacking
  await mkdir(scratch, { recursive: true })
  const files: UploadText[] = []
  for await (const { name, body } of readTarEntries(budget.of(gunzipUpload(upload)))) {
    if (!isImportableText(name)) continue
    const path = join(scratch, String(files.length))
    await written(body, createWriteStream(path))
    const openBytes = () => createReadStream(path, { highWaterMark: READ_CHUNK_BYTES })
    files.push({ name, open: () => openUnpackedContent(openBytes(), { ...unpacking, name }) })
  }
  return requireFiles(files)
}

async function drainChunks(chunks: AsyncIterable<Buffer>): Promise<void> {
  for await (const _ of chunks);
}
