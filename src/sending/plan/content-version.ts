import { sql } from 'kysely'
import type { ContentVersionSource } from '../../channels/version-source.ts'
import { type Db, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { SentSource } from '../../lib/sources.ts'

/** A tracked link of a version: what a redirect and a hit need. `url` null: it travels in the link itself. */
export interface ContentVersionLink {
  id: number
  name: string | null
  type: string
  url: string | null
  form?: string | null
  /** It is in what is sent in place of the message. */
  isFallback?: true
}

/** Keeps a content of `owner` as it stands, with its links; gives the number that messages and tokens carry. */
export async function storeContentVersion(
  db: Db,
  { account, sourceKind, source: owner }: SentSource,
  {
    source,
    links,
    design,
  }: { source: ContentVersionSource; links: readonly ContentVersionLink[]; design?: object | undefined },
  now: Date,
): Promise<number> {
  const row = await db
    .insertInto('content_versions')
    .values({
      account,
      owner_kind: sourceKind,
      owner,
      source: toJsonbText(source),
      links: toJsonbText(links),
      design: design ? toJsonbText(design) : null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A frozen content; undefined when it is unknown or another account's. */
export async function loadContentVersion(
  db: Db,
  account: AccountId,
  id: number,
): Promise<{ source: ContentVersionSource; links: ContentVersionLink[] } | undefined> {
  const row = await db
    .selectFrom('content_versions')
    .select(['source', 'links'])
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { source: row.source as ContentVersionSource, links: row.links as ContentVersionLink[] }
}

/** The sources of frozen contents, by their numbers; of any accounts, in one statement. */
export async function loadVersionSources(
  db: Db,
  versions: readonly { account: AccountId; version: number }[],
): Promise<Map<number, ContentVersionSource>> {
  if (versions.length === 0) return new Map()
  const { rows } = await sql<{ id: number; source: ContentVersionSource }>`
    select v.id, v.source from content_versions v
    where (v.account, v.id) in (
      select * from unnest(${versions.map(({ account }) => account)}::integer[], ${versions.map(({ version }) => version)}::integer[]))`.execute(
    db,
  )
  return new Map(rows.map(({ id, source }) => [id, source]))
}
