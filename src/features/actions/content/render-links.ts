import type { MessageRequest } from '../../../channels/message.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createMessageSigner, type MessageSigner, parseLinkToken } from '../../../lib/crypto/tokens.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidV7, formatActionId, parseActionId, parseUuid } from '../../../lib/ids.ts'
import { findMessage as findStamped, type StampedMessage } from '../../../sending/claim/find-messages.ts'
import { type ContentVersionLink, loadContentVersion } from '../../../sending/plan/content-version.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign } from '../../campaigns/oldest.ts'
import { type FoundContact, findContacts } from '../../contacts/records/find.ts'
import { findForm } from '../../forms/forms.ts'
import { PREVIEW_DISPLAY_BITS } from '../../rendering/render.ts'
import { type ActionRef, loadAction, type StoredAction } from '../resource/action-repository.ts'
import { decideActionTransition } from '../resource/states.ts'
import { buildUnsentLinks, buildUnsentScope } from './content-scopes.ts'
import { snapshotActionContent } from './draft-content.ts'
import type { RenderLinksRequest, RenderLinksResult, RequestedLink } from './render-links-schemas.ts'

type LinksContext = Pick<ServiceContext, 'db' | 'config' | 'clock' | 'renders' | 'tokens'>

/** The content whose links are asked for; `version` null: it is not frozen, so no token can name it. */
interface Linked {
  version: number | null
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Whose links are asked for: of a sent message they count, of none they are silent. */
interface Message {
  contact: FoundContact | null
  stamp: string
  live: StampedMessage | undefined
  linked: Linked
  /** What stands for what the request does not give. */
  stored: MessageRequest
}

/** The sent message of a stamp of an action; undefined when there is none. */
async function findSent(
  db: Db,
  { account, id }: StoredAction,
  stamp: string | undefined,
): Promise<StampedMessage | undefined> {
  const found = stamp === undefined ? undefined : await findStamped(db, account, stamp)
  return found && found.outcome !== null && found.source === id ? found : undefined
}

async function findReceiver(db: Db, account: AccountId, request: RenderLinksRequest): Promise<FoundContact | null> {
  const sought = request.receiver ?? request.recipient
  if (sought === undefined) return null
  const [contact] = await findContacts(db, account, [sought])
  if (!contact) throw notFoundProblem('contact', JSON.stringify('value' in sought ? sought.value : sought.id))
  return contact
}

/** What is frozen of an action, of the sent message if there is one; else what it would be frozen to. */
async function linkedOf(context: LinksContext, action: StoredAction, version: number | null): Promise<Linked> {
  const frozen = version === null ? undefined : await loadContentVersion(context.db, action.account, version)
  if (frozen) return { version, ...frozen }
  const { source } = await snapshotActionContent(context, action, null)
  const { links } = await context.renders.compile(toContentSource(source))
  return { version: null, source, links }
}

async function findMessage(context: LinksContext, action: StoredAction, request: RenderLinksRequest): Promise<Message> {
  const { db, clock } = context
  const contact = await findReceiver(db, action.account, request)
  const stamp = parseUuid(request.stamp?.id ?? '')
  const sent = await findSent(db, action, stamp)
  const live = sent && contact && sent.contact === contact.id ? sent : undefined
  const named = request.context?.id
  const source = named == null ? live : await findSent(db, action, parseUuid(named))
  if (named != null && !source) throw notFoundProblem('message', named)
  return {
    contact,
    stamp: stamp ?? createUuidV7(clock.now()),
    live,
    linked: await linkedOf(context, action, live?.version ?? action.version),
    stored: source?.request ?? {},
  }
}

/** The links whose targets the values of the message make, by their targets. */
async function madeLinks(
  { db, clock, tokens, renders }: LinksContext,
  { account }: StoredAction,
  { contact, stamp, linked, stored }: Message,
  { data, variables }: RenderLinksRequest,
): Promise<Map<string, number>> {
  const { source, version } = linked
  const { valuesOf, rules } = await openSenderCache(db, clock).account(account)
  const now = clock.now()
  const given = variables && Object.fromEntries(variables.map(({ key, value }) => [key, value]))
  const values = {
    contact: contact && valuesOf(contact),
    related: null,
    data: data ?? stored.data ?? {},
    variables: given ?? stored.variables ?? {},
    blocks: stored.blocks ?? [],
    campaign: await findOldestCampaign(db, account, source.action.id),
    stamp: { id: stamp, thread: stamp, set: stamp, time: now },
  }
  const rendered = await renders.render(toContentSource(source), {
    mode: 'preview',
    display: PREVIEW_DISPLAY_BITS.tracking,
    scope: buildUnsentScope(source, values, now),
    links: buildUnsentLinks(source, values, {
      key: tokens.signing(account),
      account,
      version,
      contact: contact?.id ?? null,
    }),
    zone: resolveRecipientZone(rules, contact, source.settings),
    pixel: false,
    strict: false,
  })
  if (rendered.outcome !== 'rendered') return new Map()
  const found = Object.values(rendered.parts)
    .join(' ')
    .matchAll(/\/t\/r\/([\w-]{72})\/([\w-]+)/g)
  return new Map(
    [...found].flatMap(([, token = '', travelling = '']) => {
      const target = Buffer.from(travelling, 'base64url').toString()
      const link = parseLinkToken(tokens, token, 'redirection', target)?.link
      return link === undefined ? [] : [[target, link] as const]
    }),
  )
}

/** Writes addresses of one message. */
interface Writer {
  signer: MessageSigner
  message: Message
  action: StoredAction
  trackingUrl: string
  made: ReadonlyMap<string, number>
}

function redirection({ signer, message, action, trackingUrl, made }: Writer, url: string): string {
  const { links, version } = message.linked
  const fixed = links.find((link) => link.type === 'redirection' && link.url === url)
  const link = fixed?.id ?? made.get(url)
  if (link === undefined)
    throw conflictProblem('link-unknown', `"${url}" is no link of the content of action ${formatActionId(action.id)}.`)
  // The target travels along where no table of a frozen content has it.
  const target = fixed && version !== null ? undefined : url
  const travelling = target === undefined ? '' : `/${Buffer.from(target).toString('base64url')}`
  return `${trackingUrl}/t/r/${signer.sign('redirection', link, target)}${travelling}`
}

async function formLink({ db }: LinksContext, writer: Writer, given: string): Promise<string> {
  const { signer, message, action, trackingUrl } = writer
  const id = parseActionId(given)
  if (id === undefined || !(await findForm(db, action.account, id))) throw notFoundProblem('form', given)
  const link = message.linked.links.find(({ form }) => form === formatActionId(id))
  if (!link)
    throw conflictProblem(
      'link-unknown',
      `No link of action ${formatActionId(action.id)} leads to form ${formatActionId(id)}.`,
    )
  return message.linked.version === null
    ? `${trackingUrl}/t/preview`
    : `${trackingUrl}/t/f/${signer.sign('form', link.id)}`
}

const letters = { mirror: 'm', unsubscribe: 'u', open: 'o' } as const

async function write(context: LinksContext, writer: Writer, asked: RequestedLink): Promise<string> {
  const { signer, message, trackingUrl } = writer
  if (asked.type === 'redirection') return redirection(writer, asked.destination.url.trim())
  if (asked.type === 'form') return formLink(context, writer, asked.destination.id)
  const { type } = asked.destination
  return message.linked.version === null && type !== 'open'
    ? `${trackingUrl}/t/preview`
    : `${trackingUrl}/t/${letters[type]}/${signer.sign(type, 0)}`
}

/**
 * The addresses that links of an action's content have for one message. Those of a sent message count, others are
 * silent. Throws notFound (action, contact, form, message), conflict `link-unknown` for what the content does not link to.
 */
export async function renderMessageLinks(
  context: LinksContext,
  ref: ActionRef,
  request: RenderLinksRequest,
): Promise<RenderLinksResult> {
  const { account, id } = ref
  const action = await loadAction(context.db, ref)
  decideActionTransition('render', action)
  const message = await findMessage(context, action, request)
  const { links, source, version } = message.linked
  const isKnown = (url: string) => links.some((link) => link.url === url)
  const isMadeAsked = request.links.some((one) => one.type === 'redirection' && !isKnown(one.destination.url.trim()))
  const writer: Writer = {
    signer: createMessageSigner(context.tokens.signing(account), {
      account,
      sourceKind: 'action',
      source: id,
      version: version ?? 0,
      contact: message.contact?.id ?? 0,
      stamp: message.stamp,
      test: message.live?.kind === 'test',
      silent: message.live === undefined,
    }),
    message,
    action,
    trackingUrl: source.sender.trackingUrl,
    made: isMadeAsked ? await madeLinks(context, action, message, request) : new Map(),
  }
  const written: string[] = []
  for (const asked of request.links) written.push(await write(context, writer, asked))
  return { type: 'success', links: written }
}
