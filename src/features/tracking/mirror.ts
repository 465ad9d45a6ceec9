import { sql } from 'kysely'
import type { Channel } from '../../channels/channel.ts'
import { loadChannel } from '../../channels/registry.ts'
import type { VersionSource } from '../../channels/version-source.ts'
import { contentSourceOf } from '../../channels/version-source.ts'
import type { Context } from '../../context.ts'
import type { AccountId } from '../../lib/account.ts'
import type { Token } from '../../lib/tokens.ts'
import { findMessage, type StampedMessage } from '../../outbox/by-stamp.ts'
import type { UsedValues } from '../../outbox/compose.ts'
import type { ContactRow } from '../../outbox/facts.ts'
import { openSenderCache } from '../../outbox/sender-cache.ts'
import { loadVersion } from '../../outbox/version.ts'
import { zoneOf } from '../../outbox/zones.ts'
import { linksOf, scopeOf } from '../actions/scopes.ts'
import { oldestCampaign } from '../campaigns/oldest.ts'
import type { Mode, RenderInput } from '../rendering/render.ts'
import { languageOf } from './languages.ts'
import { mirrorPage, type Page, textPage } from './pages.ts'

/** Dependencies of the mirror page. */
type MirrorContext = Pick<Context, 'db' | 'clock' | 'tokens' | 'renders' | 'log'>

/** For a message that is being sent: its contacts as they are now, as the values used are recorded a moment later. */
async function presentValues(
  { db, clock }: MirrorContext,
  account: AccountId,
  { contact, request }: StampedMessage,
  { action: { id: action }, settings }: VersionSource,
): Promise<UsedValues> {
  const related = request.related ?? null
  const { rows } = await sql<ContactRow>`
    select id, unicity, encode(hash, 'hex') as hash, fields from contacts
    where account = ${account} and id = any(${[contact, related]}::bigint[])`.execute(db)
  const { rules, valuesOf } = await openSenderCache(db, clock).account(account)
  const campaign = await oldestCampaign(db, account, action)
  const [main, second] = [contact, related].map((id) => rows.find((row) => row.id === id) ?? null)
  return {
    contact: main ? valuesOf(main) : null,
    related: second ? valuesOf(second) : null,
    campaign,
    zone: zoneOf(rules, main, settings),
    now: clock.now(),
  }
}

/** The kind of rendering whose links fit the token: a copy records nothing, and a proof counts as a test. */
function modeOf({ silent, test }: Token): Mode {
  if (silent) return 'copy'
  return test ? 'proof' : 'mirror'
}

function inputOf(
  { tokens }: MirrorContext,
  token: Token,
  sent: StampedMessage,
  render: { source: VersionSource; values: UsedValues; channel: Pick<Channel, 'inlineParts'> },
): RenderInput {
  const { source, values, channel } = render
  const { stamp, request, version } = sent
  const { data = {}, variables = {}, blocks = [], part, subject, content } = request
  const { contact: main, related, campaign = null } = values
  const message = { contact: main, related, data, variables, blocks, campaign, stamp }
  const { account, contact } = token
  return {
    mode: modeOf(token),
    scope: scopeOf(source, message, values.now),
    links: linksOf(source, message, { key: tokens.signing(account), account, version, contact }),
    zone: values.zone,
    pixel: false,
    strict: false,
    ...(part && { part }),
    ...(subject !== undefined && { headers: { subject } }),
    ...(content?.type === 'inline' && { inline: channel.inlineParts(content) }),
  }
}

/**
 * The page of a message as it was sent: its own content version with the values it used. Undefined when it was erased,
 * is past retention or was never sent.
 */
export async function makeMirror(context: MirrorContext, token: Token): Promise<Page | undefined> {
  const { db, renders, log } = context
  const sent = await findMessage(db, token.account, token.stamp)
  const version = sent && (await loadVersion(db, token.account, sent.version))
  if (!sent || !version || (sent.isRecorded && (sent.address === null || sent.values === null))) return undefined
  const { source } = version
  const values = sent.values ?? (await presentValues(context, token.account, sent, source))
  const channel = await loadChannel(source.channel)
  // A mirror page needs no honeypot.
  const content = { ...contentSourceOf(source), honeypot: false }
  const rendered = await renders.render(content, inputOf(context, token, sent, { source, values, channel }))
  if (rendered.outcome !== 'rendered') {
    log.warn({ stamp: token.stamp, version: sent.version, outcome: rendered.outcome }, 'cannot render a mirror page')
    return undefined
  }
  const shown = channel.mirrored(rendered.parts)
  if ('html' in shown) return mirrorPage(shown.html)
  const { title: subject, text } = shown
  return textPage({ language: languageOf(source.settings.culture), account: source.account.name, subject, text })
}
