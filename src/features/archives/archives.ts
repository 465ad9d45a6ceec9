import { type RawBuilder, sql } from 'kysely'
import type { ServiceContext } from '../../context.ts'
import type { Db } from '../../database/connection/connect.ts'
import { streamRows } from '../../database/rows/stream.ts'
import type { AccountId } from '../../lib/account.ts'
import { parseDownloadToken, signDownloadToken } from '../../lib/crypto/download-tokens.ts'
import { Problem } from '../../lib/errors/problem.ts'
import { formatErrorReason } from '../../lib/errors/reason.ts'
import { formatActionId, formatContactId } from '../../lib/ids.ts'
import type { TimePeriod } from '../../lib/time/period.ts'
import { DEFAULT_ARCHIVE_DAYS } from '../accounts/sending-settings.ts'
import { decodeArchiveFrame } from './archive-frames.ts'
import type { ArchivedMessage } from './archive-schemas.ts'
import { type ArchiveStore, archivePackName } from './archive-store.ts'

/** An archive address is valid for 32 days. */
const ADDRESS_VALIDITY_MS = 32 * 24 * 3600 * 1000

/** The archives of an account, of an action, of a contact; in a period of their sending. */
export interface ArchiveSelection {
  account: AccountId
  action?: number
  contact?: number
  stamp?: string
  period?: TimePeriod
}

/** Position in a list of archives: milliseconds and the archive's id. */
export type ArchiveCursor = [sentAt: number, id: string]

interface ArchiveRow {
  id: string
  action: number
  contact: number
  stamp: string
  sent_at: Date
  kept_until: Date
}

const retainedUntil = sql`a.sent_at + make_interval(days => coalesce((c.settings #>> '{sending,archiveDays}')::integer, ${DEFAULT_ARCHIVE_DAYS}))`

function buildConditions(
  { account, action, contact, stamp, period }: ArchiveSelection,
  now: number,
): RawBuilder<unknown> {
  const compareIfPresent = (column: string, comparison: string, value: unknown) =>
    value === undefined ? [] : [sql`${sql.ref(column)} ${sql.raw(comparison)} ${value}`]
  const toDate = (ms: number | undefined) => (ms === undefined ? undefined : new Date(ms))
  return sql.join(
    [
      sql`a.account = ${account} and a.sent_at is not null and ${retainedUntil} > ${new Date(now)}`,
      ...compareIfPresent('a.action', '=', action),
      ...compareIfPresent('a.contact', '=', contact),
      ...compareIfPresent('a.stamp', '=', stamp),
      ...compareIfPresent('a.sent_at', '>=', toDate(period?.start)),
      ...compareIfPresent('a.sent_at', '<', toDate(period?.end)),
    ],
    sql` and `,
  )
}

/** Archives by the time they were sent. Their addresses are good for 32 days, or as long as they are kept. */
export async function* listArchives(
  { db, clock, tokens, config }: Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'config'>,
  selection: ArchiveSelection,
  { after, limit }: { after?: ArchiveCursor | undefined; limit?: number | undefined } = {},
): AsyncGenerator<ArchivedMessage> {
  const now = clock.now()
  const { account } = selection
  const query = sql<ArchiveRow>`
    select a.id, a.action, a.contact, a.stamp, a.sent_at, ${retainedUntil} as kept_until
    from archives a join accounts c on c.id = a.account
    where ${buildConditions(selection, now)}
      ${after ? sql`and (a.sent_at, a.id) > (${new Date(after[0])}, ${after[1]}::uuid)` : sql``}
    order by a.sent_at, a.id ${limit === undefined ? sql`` : sql`limit ${limit}`}`
  for await (const { id, action, contact, stamp, sent_at, kept_until } of streamRows(db, query)) {
    const expiresAt = Math.min(now + ADDRESS_VALIDITY_MS, kept_until.getTime())
    yield {
      id,
      action: formatActionId(action),
      target: formatContactId(contact),
      stamp,
      sendingDate: sent_at.toISOString(),
      url: `${config.publicUrl}/archives/${signDownloadToken(tokens, 'archive', { account, id: stamp, expiresAt })}`,
      expiresOn: new Date(expiresAt).toISOString(),
    }
  }
}

/** Returns the archive of one send; `undefined` if none exists. */
export async function findArchive(
  context: Pick<ServiceContext, 'db' | 'clock' | 'tokens' | 'config'>,
  account: AccountId,
  stamp: string,
): Promise<ArchivedMessage | undefined> {
  const [matchingArchive] = await Array.fromAsync(listArchives(context, { account, stamp }))
  return matchingArchive
}

/**
 * Returns the message an address token refers to; `undefined` if the token is invalid or expired, or the archive is deleted. Throws a 410
 * Problem `archive-damaged` if its pack is damaged, and another error if the storage is unavailable or does not have the pack.
 */
export async function readArchivedMessage(
  { db, clock, tokens }: Pick<ServiceContext, 'db' | 'clock' | 'tokens'>,
  store: ArchiveStore,
  token: string,
): Promise<{ account: AccountId; id: string; bytes: Buffer } | undefined> {
  const now = clock.now()
  const download = parseDownloadToken(tokens, 'archive', token, now)
  const location = download && (await findLocation(db, { account: download.account, stamp: download.id }, now))
  if (!download || !location) return undefined
  const frame = await store.read(archivePackName(download.account, location.pack), location)
  if (!frame) throw new Error(`archive pack ${location.pack} is missing from its storage`)
  return { account: download.account, id: location.id, bytes: decodeMessage(frame, location) }
}

/** The message of a frame. A pack is whole before its messages leave: one that was damaged since does not mend. */
function decodeMessage(frame: Buffer, { pack, length, size }: ArchiveLocation): Buffer {
  try {
    if (frame.length < length) throw new Error(`the message is cut off by ${length - frame.length} bytes`)
    return decodeArchiveFrame(frame, size)
  } catch (decodeError) {
    throw new Problem(
      410,
      'archive-damaged',
      `The pack ${pack} of this archive is damaged: ${formatErrorReason(decodeError)}.`,
      {
        cause: decodeError,
      },
    )
  }
}

interface ArchiveLocation {
  id: string
  pack: string
  start: number
  length: number
  size: number
}

async function findLocation(db: Db, selection: ArchiveSelection, now: number): Promise<ArchiveLocation | undefined> {
  const { rows: matchingRows } = await sql<ArchiveLocation>`
    select a.id, a.pack, a.start, a.length, a.size from archives a join accounts c on c.id = a.account
    where ${buildConditions(selection, now)}`.execute(db)
  return matchingRows[0]
}
