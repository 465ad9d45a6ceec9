import { type RawBuilder, sql } from 'kysely'
import type { Context } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import { rows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { readDownload, signDownload } from '../../lib/crypto/download-tokens.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { reasonOf } from '../../lib/errors/reason.ts'
import { actionId, contactId } from '../../lib/ids.ts'
import type { Period } from '../../lib/time/period.ts'
import { ARCHIVE_DAYS } from '../accounts/sending-settings.ts'
import { messageOf } from './archive-frames.ts'
import type { Archive } from './archive-schemas.ts'
import { type ArchiveStore, packName } from './archive-store.ts'

/** How long an address of an archive is good: 32 days. */
const ADDRESS_MS = 32 * 24 * 3600 * 1000

/** The archives of an account, of an action, of a contact; in a period of their sending. */
export interface ArchiveSelection {
  account: AccountId
  action?: number
  contact?: number
  stamp?: string
  period?: Period
}

/** Where a list of archives goes on: milliseconds and the archive's id. */
export type ArchiveKey = [sentAt: number, id: string]

interface Row {
  id: string
  action: number
  contact: number
  stamp: string
  sent_at: Date
  kept_until: Date
}

const keptUntil = sql`a.sent_at + make_interval(days => coalesce((c.settings #>> '{sending,archiveDays}')::integer, ${ARCHIVE_DAYS}))`

function conditions({ account, action, contact, stamp, period }: ArchiveSelection, now: number): RawBuilder<unknown> {
  const given = (column: string, comparison: string, value: unknown) =>
    value === undefined ? [] : [sql`${sql.ref(column)} ${sql.raw(comparison)} ${value}`]
  const instant = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms))
  return sql.join(
    [
      sql`a.account = ${account} and a.sent_at is not null and ${keptUntil} > ${new Date(now)}`,
      ...given('a.action', '=', action),
      ...given('a.contact', '=', contact),
      ...given('a.stamp', '=', stamp),
      ...given('a.sent_at', '>=', instant(period?.start)),
      ...given('a.sent_at', '<', instant(period?.end)),
    ],
    sql` and `,
  )
}

/** Archives by the time they were sent. Their addresses are good for 32 days, or as long as they are kept. */
export async function* listArchives(
  { db, clock, tokens, config }: Pick<Context, 'db' | 'clock' | 'tokens' | 'config'>,
  selection: ArchiveSelection,
  { after, limit }: { after?: ArchiveKey | undefined; limit?: number | undefined } = {},
): AsyncGenerator<Archive> {
  const now = clock.now()
  const { account } = selection
  const query = sql<Row>`
    select a.id, a.action, a.contact, a.stamp, a.sent_at, ${keptUntil} as kept_until
    from archives a join accounts c on c.id = a.account
    where ${conditions(selection, now)}
      ${after ? sql`and (a.sent_at, a.id) > (${new Date(after[0])}, ${after[1]}::uuid)` : sql``}
    order by a.sent_at, a.id ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  for await (const { id, action, contact, stamp, sent_at, kept_until } of rows(db, query)) {
    const expiresAt = Math.min(now + ADDRESS_MS, kept_until.getTime())
    yield {
      id,
      action: actionId(action),
      target: contactId(contact),
      stamp,
      sendingDate: sent_at.toISOString(),
      url: `${config.publicUrl}/archives/${signDownload(tokens, 'archive', { account, id: stamp, expiresAt })}`,
      expiresOn: new Date(expiresAt).toISOString(),
    }
  }
}

/** The archive of one send; undefined when there is none. */
export async function findArchive(
  context: Pick<Context, 'db' | 'clock' | 'tokens' | 'config'>,
  account: AccountId,
  stamp: string,
): Promise<Archive | undefined> {
  const [found] = await Array.fromAsync(listArchives(context, { account, stamp }))
  return found
}

/**
 * The message behind the token of an address; undefined when the token is none or void, or the archive is gone. Throws
 * 410 `archive-damaged` when its pack is, and another error when the storage is away, or does not have the pack.
 */
export async function readArchive(
  { db, clock, tokens }: Pick<Context, 'db' | 'clock' | 'tokens'>,
  store: ArchiveStore,
  token: string,
): Promise<{ account: AccountId; id: string; bytes: Buffer } | undefined> {
  const now = clock.now()
  const download = readDownload(tokens, 'archive', token, now)
  const place = download && (await placeOf(db, { account: download.account, stamp: download.id }, now))
  if (!download || !place) return undefined
  const frame = await store.read(packName(download.account, place.pack), place)
  if (!frame) throw new Error(`the pack ${place.pack} of archives is not where it was stored`)
  return { account: download.account, id: place.id, bytes: messageIn(frame, place) }
}

/** The message of a frame. A pack is whole before its messages leave: one that was damaged since does not mend. */
function messageIn(frame: Buffer, { pack, length, size }: Place): Buffer {
  try {
    if (frame.length < length) throw new Error(`ends ${length - frame.length} octets before the message does`)
    return messageOf(frame, size)
  } catch (cause) {
    throw new Problem(410, 'archive-damaged', `The pack ${pack} of this archive is damaged: ${reasonOf(cause)}.`, {
      cause,
    })
  }
}

interface Place {
  id: string
  pack: string
  start: number
  length: number
  size: number
}

async function placeOf(db: Db, selection: ArchiveSelection, now: number): Promise<Place | undefined> {
  const { rows: found } = await sql<Place>`
    select a.id, a.pack, a.start, a.length, a.size from archives a join accounts c on c.id = a.account
    where ${conditions(selection, now)}`.execute(db)
  return found[0]
}
