import { sql } from 'kysely'
import { emailChannelTraits } from '../../channels/email/traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { AccountTokenKeys } from '../../lib/crypto/tokens.ts'
import { badRequestProblem, notFoundProblem } from '../../lib/errors/problem.ts'
import { findDefaultProfile, readSendingSettings } from '../accounts/sending-settings.ts'
import { resolveContactId } from '../contacts/records/find.ts'
import { escapeHtml } from '../rendering/templates/liquid.ts'
import type { DisplayTags, DisplayTagsQuery } from './display-schemas.ts'
import type { DisplayResourceKey } from './resources.ts'
import { type DisplayTag, signDisplayTag } from './tokens.ts'

interface TagNames {
  content: number
  name: string
  /** Null when there is no such placement. */
  placement: number | null
  isAllowed: boolean
}

/** Loads the content and the placement that shows it. Throws notFound, and 400 for a placement that does not belong to the content. */
async function loadTagNames(
  db: Db,
  { account, id }: DisplayResourceKey,
  placement: string,
): Promise<TagNames & { placement: number }> {
  const { rows } = await sql<TagNames>`
    select c.number as content, c.name, p.number as placement,
      not exists (select from display_content_placements l where l.content = c.number)
        or exists (select from display_content_placements l where l.content = c.number and l.placement = p.number) as "isAllowed"
    from display_contents c
    left join display_placements p on p.account = c.account and p.id = ${placement} and p.deleted_at is null
    where c.account = ${account} and c.id = ${id} and c.deleted_at is null`.execute(db)
  const [tagNames] = rows
  if (!tagNames) throw notFoundProblem('display content', id)
  if (tagNames.placement === null) throw notFoundProblem('placement', placement)
  if (!tagNames.isAllowed) throw badRequestProblem('placement', 'is not a placement of the content')
  return { ...tagNames, placement: tagNames.placement }
}

/** The base address of an account's tags: the tracking host of its default profile for email, else the public address. */
async function resolveTagHost(db: Db, account: AccountId, publicUrl: string): Promise<string> {
  const settings = await readSendingSettings(db, account)
  const { trackingHost = null } = findDefaultProfile(settings, emailChannelTraits.name) ?? {}
  return trackingHost === null ? publicUrl : `https://${trackingHost}`
}

function buildTagHtml({ impression, click }: Omit<DisplayTags, 'html'>, name: string): string {
  const pictureTag = `<img src="${escapeHtml(impression)}" width="1" height="1" alt="" referrerpolicy="no-referrer">`
  return `<a href="${escapeHtml(click)}" rel="nofollow noopener">${escapeHtml(name)}</a>${pictureTag}`
}

/** Dependencies of making tags. */
export interface DisplayTagContext {
  db: Db
  tokens: AccountTokenKeys
  publicUrl: string
}

/**
 * Creates the addresses for a page that shows a content, even if it is not active yet. Throws notFound for the content, the placement and
 * the contact, and 400 for a placement that does not belong to the content.
 */
export async function createDisplayTags(
  { db, tokens, publicUrl }: DisplayTagContext,
  key: DisplayResourceKey,
  query: DisplayTagsQuery,
): Promise<DisplayTags> {
  const { account } = key
  const { content, placement, name } = await loadTagNames(db, key, query.placement)
  const contact = query.contact ? await resolveContactId(db, account, query.contact) : null
  const tagHost = await resolveTagHost(db, account, publicUrl)
  const tag: DisplayTag = { account, content, placement, contact }
  const impression = `${tagHost}/d/${signDisplayTag(tokens, 'impression', tag)}.gif`
  const clickUrl = `${tagHost}/d/${signDisplayTag(tokens, 'redirection', tag)}`
  return { impression, click: clickUrl, html: buildTagHtml({ impression, click: clickUrl }, name) }
}
