import { sql } from 'kysely'
import type { VersionSource } from '../../channels/version-source.ts'
import { type Db, json } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Source } from '../../lib/sources.ts'

/** A tracked link of a version: what a redirect and a hit need. `url` null: it travels in the link itself. */
export interface VersionLink {
  id: number
  name: string | null
  type: string
  url: string | null
  form?: string | null
  /** It is in what is sent in place of the message. */
  isFallback?: true
}

/** Keeps a content of `owner` as it stands, with its links; gives the number that messages and tokens carry. */
export async function freezeVersion(
  db: Db,
  { account, sourceKind, source: owner }: Source,
  { source, links, design }: { source: VersionSource; links: readonly VersionLink[]; design?: object | undefined },
  now: Date,
): Promise<number> {
  const row = await db
    .insertInto('content_versions')
    .values({
      account,
      owner_kind: sourceKind,
      owner,
      source: json(source),
      links: json(links),
      design: design ? json(design) : null,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** A frozen content; undefined when it is unknown or another account's. */
export async function loadVersion(
  db: Db,
  account: AccountId,
  id: number,
): Promise<{ source: VersionSource; links: VersionLink[] } | undefined> {
  const row = await db
    .selectFrom('content_versions')
    .select(['source', 'links'])
    .where('account', '=', account)
    .where('id', '=', id)
    .executeTakeFirst()
  return row && { source: row.source as VersionSource, links: row.links as VersionLink[] }
}

/** The sources of frozen contents, by their numbers; of any accounts, in one statement. */
export async function loadSources(
  db: Db,
  versions: readonly { account: AccountId; version: number }[],
): Promise<Map<number, VersionSource>> {
  if (versions.length === 0) return new Map()
  const { rows } = await sql<{ id: number; source: VersionSource }>`
    select v.id, v.source from content_versions v
    where (v.account, v.id) in (
      select * from unnest(${versions.map(({ account }) => account)}::integer[], ${versions.map(({ version }) => version)}::integer[]))`.execute(
    db,
  )
  return new Map(rows.map(({ id, source }) => [id, source]))
}
