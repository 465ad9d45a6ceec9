import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { ShortLink } from '../../features/rendering/message-links.ts'
import type { AccountId } from '../../lib/account.ts'
import type { LinkTokenKind } from '../../lib/crypto/tokens.ts'
import type { SentSourceKind, SentSourceNumber } from '../../lib/sources.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'

/** Target of a short code. `target` null: a link of the service, whose `/t/` address is rebuilt. */
export interface StoredShortLink extends SentSourceNumber {
  account: AccountId
  version: number
  contact: number
  stamp: string
  kind: LinkTokenKind
  test: boolean
  silent: boolean
  link: number
  target: string | null
}

/** Keeps the short links of messages about to go out. `now` in milliseconds. */
export async function storeShortLinks(
  db: Db,
  links: readonly { message: ClaimedMessage; link: ShortLink }[],
  now: number,
): Promise<void> {
  await sql`
    insert into short_links (code, account, source_kind, source, version, contact, stamp, kind, is_test, is_silent, link, target, created_at)
    select n.*, ${new Date(now)}::timestamptz from unnest(
      ${links.map(({ link }) => link.code)}::text[], ${links.map(({ message }) => message.account)}::integer[],
      ${links.map(({ message }) => message.sourceKind)}::text[], ${links.map(({ message }) => message.source)}::integer[], ${links.map(({ message }) => message.version)}::integer[],
      ${links.map(({ message }) => message.contact)}::bigint[], ${links.map(({ message }) => message.stamp.id)}::uuid[],
      ${links.map(({ link }) => link.kind)}::text[], ${links.map(({ message: { kind, request } }) => (request.fallback?.kind ?? kind) === 'test')}::boolean[],
      ${links.map(() => false)}::boolean[], ${links.map(({ link }) => link.link)}::integer[], ${links.map(({ link }) => link.target)}::text[]
    ) as n (code, account, source_kind, source, version, contact, stamp, kind, is_test, is_silent, link, target)`.execute(
    db,
  )
}

/** Returns the target of a code; `undefined` if the code was never issued. */
export async function findShortLink(db: Db, code: string): Promise<StoredShortLink | undefined> {
  const row = await db.selectFrom('short_links').selectAll().where('code', '=', code).executeTakeFirst()
  return (
    row && {
      account: row.account,
      sourceKind: row.source_kind as SentSourceKind,
      source: row.source,
      version: row.version,
      contact: row.contact ?? 0,
      stamp: row.stamp,
      kind: row.kind as LinkTokenKind,
      test: row.is_test,
      silent: row.is_silent,
      link: row.link,
      target: row.target,
    }
  )
}
