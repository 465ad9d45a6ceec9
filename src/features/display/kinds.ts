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

function parseOptionalDate(dateInput: string | number | null | undefined, pointer: string): Date | null | undefined {
  return dateInput === null || dateInput === undefined ? dateInput : requireInstant(dateInput, pointer)
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
    starts_at: parseOptionalDate(startDate, '/startDate'),
    ends_at: parseOptionalDate(endDate, '/endDate'),
  }),
  refusals: { check: () => badRequestProblem('/endDate', 'must not be before startDate') },
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
function parseTargetUrl(urlInput: string | undefined, isNew: boolean): string | undefined {
  if (urlInput === undefined && !isNew) return undefined
  const url = (urlInput ?? '').trim()
  const isWebUrl = /^https?:\/\/[^/?#]/i.test(url) && !/[\s\p{Cc}]/u.test(url) && URL.canParse(url)
  if (!isWebUrl) throw badRequestProblem('/url', 'must be an http or https address')
  return url
}

/** The number of the campaign; one that the content has already may be deleted. Throws notFound. */
async function resolveCampaignNumber(
  tx: Db,
  account: AccountId,
  id: string | undefined,
  storedContent: ContentRow | undefined,
): Promise<number | undefined> {
  if (id === undefined && !storedContent) throw badRequestProblem('/campaign', 'is required')
  if (id === undefined || id === storedContent?.campaign) return undefined
  const { rows } = await sql<{ number: number }>`
    select number from display_campaigns where account = ${account} and id = ${id} and deleted_at is null`.execute(tx)
  const [campaignRow] = rows
  if (!campaignRow) throw notFoundProblem(displayCampaignKind.name, id)
  return campaignRow.number
}

/** Throws notFound for the first placement that does not exist. One that the content already uses may be deleted. */
async function assertPlacements(tx: Db, account: AccountId, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    select n.id from unnest(${ids}::text[]) with ordinality as n (id, place)
    where not exists (
      select from display_placements p where p.account = ${account} and p.id = n.id and p.deleted_at is null)
    order by n.place limit 1`.execute(tx)
  const [missingPlacement] = rows
  if (missingPlacement) throw notFoundProblem(displayPlacementKind.name, missingPlacement.id)
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
  async read(tx, account, body, storedContent) {
    const url = parseTargetUrl(body.url, storedContent === undefined)
    const currentPlacements = new Set(storedContent?.placements)
    const campaign = await resolveCampaignNumber(tx, account, body.campaign, storedContent)
    await assertPlacements(
      tx,
      account,
      (body.placements ?? []).filter((id) => !currentPlacements.has(id)),
    )
    return { url, campaign }
  },
  async keep(tx, account, number, { placements: ids }) {
    if (ids) await replacePlacements(tx, account, number, ids)
  },
}
