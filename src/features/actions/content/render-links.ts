import type { MessageRequest } from '../../../channels/message.ts'
import { type ContentVersionSource, toContentSource } from '../../../channels/version-source.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { createMessageSigner, type MessageSigner, parseLinkToken } from '../../../lib/crypto/tokens.ts'
import { conflictProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { createUuidV7, formatActionId, parseActionId, parseUuid } from '../../../lib/ids.ts'
import { findMessage, type StampedMessage } from '../../../sending/claim/find-messages.ts'
import { type ContentVersionLink, loadContentVersion } from '../../../sending/plan/content-version.ts'
import { resolveRecipientZone } from '../../../sending/plan/zone-moments.ts'
import { openSenderCache } from '../../../sending/prepare/sender-cache.ts'
import { findOldestCampaign } from '../../campaign-groups/oldest.ts'
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
interface LinkedContent {
  version: number | null
  source: ContentVersionSource
  links: readonly ContentVersionLink[]
}

/** Message whose links are requested: links of a sent message count, all others are silent. */
interface LinkMessage {
  contact: FoundContact | null
  stamp: string
  live: StampedMessage | undefined
  linked: LinkedContent
  /** Defaults for members that the request omits. */
  stored: MessageRequest
}

/** Sent message with a stamp of an action; `undefined` if there is none. */
async function findSentMessage(
  db: Db,
  { account, id }: StoredAction,
  stamp: string | undefined,
): Promise<StampedMessage | undefined> {
  const stampedMessage = stamp === undefined ? undefined : await findMessage(db, account, stamp)
  return stampedMessage && stampedMessage.outcome !== null && stampedMessage.source === id ? stampedMessage : undefined
}

async function findReceiver(db: Db, account: AccountId, request: RenderLinksRequest): Promise<FoundContact | null> {
  const identification = request.receiver ?? request.recipient
  if (identification === undefined) return null
  const [contact] = await findContacts(db, account, [identification])
  if (!contact)
    throw notFoundProblem(
      'contact',
      JSON.stringify('value' in identification ? identification.value : identification.id),
    )
  return contact
}

/** Frozen content of the sent message if there is one, otherwise of the action, otherwise the content that would be frozen now. */
async function loadLinkedContent(
  context: LinksContext,
  action: StoredAction,
  version: number | null,
): Promise<LinkedContent> {
  const frozenVersion = version === null ? undefined : await loadContentVersion(context.db, action.account, version)
  if (frozenVersion) return { version, ...frozenVersion }
  const { source } = await snapshotActionContent(context, action, null)
  const { links } = await context.renders.compile(toContentSource(source))
  return { version: null, source, links }
}

async function resolveLinkMessage(
  context: LinksContext,
  action: StoredAction,
  request: RenderLinksRequest,
): Promise<LinkMessage> {
  const { db, clock } = context
  const contact = await findReceiver(db, action.account, request)
  const stamp = parseUuid(request.stamp?.id ?? '')
  const stampSource = await findSentMessage(db, action, stamp)
  const liveMessage = stampSource && contact && stampSource.contact === contact.id ? stampSource : undefined
  const contextId = request.context?.id
  const source = contextId == null ? liveMessage : await findSentMessage(db, action, parseUuid(contextId))
  if (contextId != null && !source) throw notFoundProblem('message', contextId)
  return {
    contact,
    stamp: stamp ?? createUuidV7(clock.now()),
    live: liveMessage,
    linked: await loadLinkedContent(context, action, liveMessage?.version ?? action.version),
    stored: source?.request ?? {},
  }
}

/** The links whose targets the values of the message make, by their targets. */
async function renderDynamicLinks(
  { db, clock, tokens, renders }: LinksContext,
  { account }: StoredAction,
  { contact, stamp, linked, stored: storedRequest }: LinkMessage,
  { data, variables }: RenderLinksRequest,
): Promise<Map<string, number>> {
  const { source, version } = linked
  const { valuesOf, rules } = await openSenderCache(db, clock).account(account)
  const now = clock.now()
  const variableValues = variables && Object.fromEntries(variables.map(({ key, value }) => [key, value]))
  const values = {
    contact: contact && valuesOf(contact),
    related: null,
    data: data ?? storedRequest.data ?? {},
    variables: variableValues ?? storedRequest.variables ?? {},
    blocks: storedRequest.blocks ?? [],
    event: storedRequest.event,
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
  const tokenMatches = Object.values(rendered.parts)
    .join(' ')
    .matchAll(/\/t\/r\/([\w-]{72})\/([\w-]+)/g)
  return new Map(
    [...tokenMatches].flatMap(([, token = '', travelling = '']) => {
      const target = Buffer.from(travelling, 'base64url').toString()
      const link = parseLinkToken(tokens, token, 'redirection', target)?.link
      return link === undefined ? [] : [[target, link] as const]
    }),
  )
}

/** Writes addresses of one message. */
interface LinkWriter {
  signer: MessageSigner
  message: LinkMessage
  action: StoredAction
  trackingUrl: string
  made: ReadonlyMap<string, number>
}

function buildRedirectionUrl(
  { signer, message, action, trackingUrl, made: dynamicLinks }: LinkWriter,
  url: string,
): string {
  const { links, version } = message.linked
  const staticLink = links.find((link) => link.type === 'redirection' && link.url === url)
  const link = staticLink?.id ?? dynamicLinks.get(url)
  if (link === undefined)
    throw conflictProblem('link-unknown', `The content of action ${formatActionId(action.id)} has no link to "${url}".`)
  // The target travels along where no table of a frozen content has it.
  const target = staticLink && version !== null ? undefined : url
  const travelling = target === undefined ? '' : `/${Buffer.from(target).toString('base64url')}`
  return `${trackingUrl}/t/r/${signer.sign('redirection', link, target)}${travelling}`
}

async function buildFormUrl({ db }: LinksContext, writer: LinkWriter, formId: string): Promise<string> {
  const { signer, message, action, trackingUrl } = writer
  const id = parseActionId(formId)
  if (id === undefined || !(await findForm(db, action.account, id))) throw notFoundProblem('form', formId)
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

const LINK_LETTERS = { mirror: 'm', unsubscribe: 'u', open: 'o' } as const

async function buildLinkUrl(context: LinksContext, writer: LinkWriter, linkRequest: RequestedLink): Promise<string> {
  const { signer, message, trackingUrl } = writer
  if (linkRequest.type === 'redirection') return buildRedirectionUrl(writer, linkRequest.destination.url.trim())
  if (linkRequest.type === 'form') return buildFormUrl(context, writer, linkRequest.destination.id)
  const { type } = linkRequest.destination
  return message.linked.version === null && type !== 'open'
    ? `${trackingUrl}/t/preview`
    : `${trackingUrl}/t/${LINK_LETTERS[type]}/${signer.sign(type, 0)}`
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
  const message = await resolveLinkMessage(context, action, request)
  const { links, source, version } = message.linked
  const isStaticUrl = (url: string) => links.some((link) => link.url === url)
  const isMadeAsked = request.links.some(
    (linkItem) => linkItem.type === 'redirection' && !isStaticUrl(linkItem.destination.url.trim()),
  )
  const writer: LinkWriter = {
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
    made: isMadeAsked ? await renderDynamicLinks(context, action, message, request) : new Map(),
  }
  const linkUrls: string[] = []
  for (const linkRequest of request.links) linkUrls.push(await buildLinkUrl(context, writer, linkRequest))
  return { type: 'success', links: linkUrls }
}
