import { type Selectable, sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { DB } from '../../database/tables.ts'
import type { AccountId } from '../../lib/account.ts'
import { computeHmac } from '../../lib/crypto/hmac.ts'
import { conflictProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import type { ArchiveStore } from '../archives/archive-store.ts'
import type { MediaResource } from './media-schemas.ts'
import { detectMediaKind } from './media-types.ts'
import type { SizedPicture } from './size-worker.ts'
import type { PictureSizer } from './sizer.ts'
import { findMediaLinks } from './usage.ts'

export type MediaRow = Selectable<DB['media']>

interface StoredSize {
  name: string
  width: number
  height: number
  octets: number
}

export const mediaCopySizes = ({ sizes }: Pick<MediaRow, 'sizes'>): StoredSize[] => sizes as unknown as StoredSize[]

/** Storage name of a file, or of a copy of it. */
export const mediaStorageName = (account: number, hash: string, name: string): string =>
  `${account}/media/${hash}/${name}`

/** As callers see it; its addresses are below the public one of the service. */
export function toMediaResource(row: MediaRow, publicUrl: string): MediaResource {
  const addressOf = (name: string): string => `${publicUrl}/m/${row.hash}/${name}`
  const { id, name, type, octets, width, height, created_at } = row
  const sizes = mediaCopySizes(row).map(({ name: copy, ...size }) => ({ ...size, address: addressOf(copy) }))
  return {
    id,
    name,
    type,
    octets,
    width,
    height,
    address: addressOf(name),
    sizes,
    creationDate: created_at.toISOString(),
  }
}

/** A name as it stands in addresses, without its extension: `[a-z0-9.-]`. */
function buildNameStem(fileName: string): string {
  const plainName = fileName
    .replace(/\.[^.]*$/, '')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
  return (
    plainName
      .replaceAll(/[^a-z0-9.-]+/g, '-')
      .replaceAll(/^[.-]+|(?<![.-])[.-]+$/g, '')
      .slice(0, 80) || 'file'
  )
}

/** HMAC-SHA-256 by the account's key, so that nobody can ask whether a file is here. */
function hashMedia({ tokens }: Pick<ServiceContext, 'tokens'>, account: AccountId, bytes: Buffer): string {
  const contentMac = computeHmac(tokens.signing(account).key, Buffer.concat([Buffer.from('media\0'), bytes]))
  return contentMac.toString('hex').slice(0, 32)
}

interface MediaServices {
  store: ArchiveStore
  size: PictureSizer
}

/** A file as it is shown to everybody, its size and copies. */
interface ShownFile extends Pick<SizedPicture, 'width' | 'height' | 'copies'> {
  bytes: Buffer
}

/** The bytes shown of a file: a picture without the metadata of its camera, a drawing written again, a document unchanged. */
async function prepareFile(
  { type, bytes }: { type: string; bytes: Buffer },
  headerSize: Pick<ShownFile, 'width' | 'height'>,
  size: PictureSizer,
): Promise<ShownFile> {
  if (type === 'application/pdf') return { bytes, ...headerSize, copies: [] }
  const sizedPicture = await size({ type, bytes })
  const { width, height } = sizedPicture.width === null ? headerSize : sizedPicture
  return { bytes: Buffer.from(sizedPicture.shown), width, height, copies: sizedPicture.copies }
}

/**
 * Keeps the octets of a file with their smaller copies and gives what is to be inserted. Throws 415 for other types, 400
 * for pictures that are damaged or too large, 503 after 5 s of waiting for others.
 */
export async function storeMedia(
  context: Pick<ServiceContext, 'tokens' | 'clock'>,
  { store, size }: MediaServices,
  account: AccountId,
  file: { bytes: Buffer; name: string },
): Promise<Omit<MediaRow, 'id' | 'sizes'> & { sizes: StoredSize[] }> {
  const { type, extension, ...detectedSize } = detectMediaKind(file.bytes)
  const { bytes: shownBytes, ...shownFile } = await prepareFile({ type, bytes: file.bytes }, detectedSize, size)
  const contentHash = hashMedia(context, account, shownBytes)
  const nameStem = buildNameStem(file.name)
  const name = `${nameStem}.${extension}`
  await store.write(mediaStorageName(account, contentHash, 'file'), shownBytes)
  const sizes: StoredSize[] = []
  for (const pictureCopy of shownFile.copies) {
    await store.write(mediaStorageName(account, contentHash, String(pictureCopy.width)), Buffer.from(pictureCopy.bytes))
    const { width: copyWidth, height: copyHeight } = pictureCopy
    sizes.push({
      name: `${nameStem}-${copyWidth}w.${extension}`,
      width: copyWidth,
      height: copyHeight,
      octets: pictureCopy.bytes.length,
    })
  }
  const fileMeasures = { width: shownFile.width, height: shownFile.height, octets: shownBytes.length }
  return { account, hash: contentHash, name, type, ...fileMeasures, sizes, created_at: new Date(context.clock.now()) }
}

/** Inserts a stored file; one that the account has already stays as it is. */
export async function insertMedia(tx: Db, values: Awaited<ReturnType<typeof storeMedia>>): Promise<MediaRow> {
  const row = await tx
    .insertInto('media')
    .values({ ...values, sizes: toJsonbText(values.sizes) })
    .onConflict((already) => already.column('hash').doNothing())
    .returningAll()
    .executeTakeFirst()
  return row ?? tx.selectFrom('media').selectAll().where('hash', '=', values.hash).executeTakeFirstOrThrow()
}

interface MediaSelection {
  q?: string | undefined
  type?: string | undefined
  newest?: boolean | undefined
  after: number | undefined
  limit: number | undefined
}

/** The media of an account, ascending id; or descending, the newest first. */
export async function* listMedia(
  db: Db,
  account: AccountId,
  { q, type, newest = false, after, limit }: MediaSelection,
): AsyncGenerator<MediaRow> {
  let query = db
    .selectFrom('media')
    .selectAll()
    .where('account', '=', account)
    .orderBy('id', newest ? 'desc' : 'asc')
  if (after !== undefined) query = query.where('id', newest ? '<' : '>', after)
  if (q !== undefined) query = query.where(sql<boolean>`position(lower(${q}) in name) > 0`)
  if (type === 'image') query = query.where('type', 'like', 'image/%')
  else if (type !== undefined) query = query.where('type', '=', type)
  if (limit !== undefined) query = query.limit(limit)
  yield* await query.execute()
}

/** One of them. Throws notFound. */
export async function loadMedia(db: Db, account: AccountId, id: number): Promise<MediaRow> {
  const row = await db
    .selectFrom('media')
    .selectAll()
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw notFoundProblem('media', id)
  return row
}

interface MediaDeletion {
  account: AccountId
  id: number
  now: Date
  /** Even while it is used. */
  isForced: boolean
}

/** Deletes a row and gives it; `removeMediaOctets` follows once that is committed. Throws notFound, 409 `media-in-use`. */
export async function deleteMedia(tx: Db, { account, id, now, isForced }: MediaDeletion): Promise<MediaRow> {
  const row = await loadMedia(tx, account, id)
  const links = isForced ? [] : await findMediaLinks(tx, account, row.hash, now)
  if (links.length > 0) {
    const linkNames = links.map((link) => `${link.type} ${link.id} (${link.name})`).join(', ')
    throw conflictProblem('media-in-use', `Media ${id} is used by ${linkNames}.`, { links })
  }
  await tx.deleteFrom('media').where('account', '=', account).where('id', '=', id).execute()
  return row
}

/** Removes the octets of what was deleted. */
export async function removeMediaOctets(store: ArchiveStore, row: MediaRow): Promise<void> {
  const { account, hash } = row
  for (const { width } of mediaCopySizes(row)) await store.remove(mediaStorageName(account, hash, String(width)))
  await store.remove(mediaStorageName(account, hash, 'file'))
}
