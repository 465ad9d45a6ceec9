import { sql } from 'kysely'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { requireInstant } from '../../lib/time/period.ts'
import type {
  DisplayCampaignBody,
  DisplayCampaignResource,
  DisplayContentBody,
  DisplayContentResource,
  DisplayPlacementBody,
  DisplayPlacementResource,
} from './display-schemas.ts'
import type { DisplayResourceKind, DisplayResourceMembers, DisplayResourceRow } from './resources.ts'

interface CampaignRow extends DisplayResourceRow {
  starts_at: Date | null
  ends_at: Date | null
}

interface PlacementRow extends DisplayResourceRow {
  site: string | null
  width: number | null
  height: number | null
}

interface ContentRow extends DisplayResourceRow {
  campaign: string
  url: string
  placements: string[]
}

function readDate(given: string | number | null | undefined, pointer: string): Date | null | undefined {
  return given === null || given === undefined ? given : requireInstant(given, pointer)
}

export const displayCampaignKind: DisplayResourceKind<
  DisplayCampaignBody,
  CampaignRow,
  Omit<DisplayCampaignResource, keyof DisplayResourceMembers>
> = {
  name: 'display campaign',
  table: 'display_campaigns',
  columns: sql`d.starts_at, d.ends_at`,
  show: ({ starts_at, ends_at }) => ({
    startDate: starts_at?.toISOString() ?? null,
    endDate: ends_at?.toISOString() ?? null,
  }),
  read: async (_tx, _account, { startDate, endDate }) => ({
    starts_at: readDate(startDate, '/startDate'),
    ends_at: readDate(endDate, '/endDate'),
  }),
  refusals: { check: () => badRequestProblem('/endDate', 'is before startDate') },
}

export const displayPlacementKind: DisplayResourceKind<
  DisplayPlacementBody,
  PlacementRow,
  Omit<DisplayPlacementResource, keyof DisplayResourceMembers>
> = {
  name: 'placement',
  table: 'display_placements',
  columns: sql`d.site, d.width, d.height`,
  show: ({ site, width, height }) => ({ site, width, height }),
  read: async (_tx, _account, { site, width, height }) => ({ site, width, height }),
}

/** The target of a content, as given. Throws 400 for what no browser opens. */
function readUrl(given: string | undefined, isNew: boolean): string | undefined {
  if (given === undefined && !isNew) return undefined
  const url = (given ?? '').trim()
  const isWeb = /^https?:\/\/[^/?#]/i.test(url) && !/[\s\p{Cc}]/u.test(url) && URL.canParse(url)
  if (!isWeb) throw badRequestProblem('/url', 'must be an http or https address')
  return url
}

/** The number of the campaign; one that the content has already may be deleted. Throws notFound. */
async function readCampaign(
  tx: Db,
  account: AccountId,
  id: string | undefined,
  stored: ContentRow | undefined,
): Promise<number | undefined> {
  if (id === undefined && !stored) throw badRequestProblem('/campaign', 'is required')
  if (id === undefined || id === stored?.campaign) return undefined
  const { rows } = await sql<{ number: number }>`
    select number from display_campaigns where account = ${account} and id = ${id} and deleted_at is null`.execute(tx)
  const [found] = rows
  if (!found) throw notFoundProblem(displayCampaignKind.name, id)
  return found.number
}

/** Throws notFound for the first placement that is none; one that the content has already may be deleted. */
async function requirePlacements(tx: Db, account: AccountId, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select n.id from unnest(${ids}::text[]) with ordinality as n (id, place)
    where not exists (
      select from display_placements p where p.account = ${account} and p.id = n.id and p.deleted_at is null)
    order by n.place limit 1`.execute(tx)
  const [missing] = rows
  if (missing) throw notFoundProblem(displayPlacementKind.name, missing.id)
}

/** Replaces the placements of a content, each once. */
async function replacePlacements(tx: Db, account: AccountId, content: number, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('display_content_placements').where('content', '=', content).execute()
  await sql`
    insert into display_content_placements (account, content, position, placement)
    select ${account}, ${content}, min(n.place), p.number
    from unnest(${ids}::text[]) with ordinality as n (id, place)
    join display_placements p on p.account = ${account} and p.id = n.id
    group by p.number`.execute(tx)
}

export const displayContentKind: DisplayResourceKind<
  DisplayContentBody,
  ContentRow,
  Omit<DisplayContentResource, keyof DisplayResourceMembers>
> = {
  name: 'display content',
  table: 'display_contents',
  columns: sql`d.url, (select c.id from display_campaigns c where c.number = d.campaign) as campaign, array(
    select p.id from display_content_placements l join display_placements p on p.number = l.placement
    where l.content = d.number order by l.position) as placements`,
  show: ({ campaign, url, placements }) => ({ campaign, url, placements }),
  async read(tx, account, body, stored) {
    const url = readUrl(body.url, stored === undefined)
    const known = new Set(stored?.placements)
    const campaign = await readCampaign(tx, account, body.campaign, stored)
    await requirePlacements(
      tx,
      account,
      (body.placements ?? []).filter((id) => !known.has(id)),
    )
    return { url, campaign }
  },
  async keep(tx, account, number, { placements: ids }) {
    if (ids) await replacePlacements(tx, account, number, ids)
  },
}
