import type { TemplateCampaign } from '../../features/campaign-groups/oldest.ts'
import type { SendCancellation } from '../../features/events/record/record.ts'
import type { ShortLink } from '../../features/rendering/message-links.ts'
import { type RenderInput, renderMessagePieces } from '../../features/rendering/render.ts'
import type { ContactValues, RenderScopeInput } from '../../features/rendering/scope.ts'
import type { OutgoingMessage } from '../../gateways/gateway.ts'
import type { AccountTokenKeys } from '../../lib/crypto/tokens.ts'
import { formatSentSourceId } from '../../lib/sources.ts'
import type { ClaimedMessage } from '../claim/queue-messages.ts'
import { resolveRecipientZone } from '../plan/zone-moments.ts'
import { getContactAddress, getMessageAddress, hasFieldConsent } from './exclusions.ts'
import type { PreparedMessage } from './prepared-message.ts'

/** Values that a template used in addition to the request: retained, so that the mirror page always shows the same. */
export interface UsedTemplateValues {
  contact: ContactValues | null
  related: ContactValues | null
  /** Set if the template names it. */
  campaign?: TemplateCampaign | null
  zone: string
  /** Milliseconds: the `now` of the templates. */
  now: number
}

/** A message, or one of its deliveries, as a gateway takes it. */
export interface ComposedMessage<Made = OutgoingMessage> {
  prepared: PreparedMessage
  outgoing: Made
  address: string
  values: UsedTemplateValues
  /** To be stored before the message goes out. */
  shortLinks: ShortLink[]
}

const RENDER_MODES = { message: 'live', campaign: 'live', test: 'proof', copy: 'copy' } as const

/** A message that stands in for another is rendered as that one is. */
function getRenderMode({ kind, request }: ClaimedMessage): (typeof RENDER_MODES)[keyof typeof RENDER_MODES] {
  return RENDER_MODES[kind === 'fallback' ? (request.fallback?.kind ?? 'message') : kind]
}

const NO_SEQUENCES: ReadonlySet<number> = new Set()

/** Builds the names that the templates of one message can use. */
export function buildMessageRenderScope(
  { message, source }: Pick<PreparedMessage, 'message' | 'source'>,
  values: UsedTemplateValues,
): RenderScopeInput {
  const { request, stamp } = message
  const variables = { ...source.test?.variables, ...request.variables }
  return {
    contact: values.contact,
    related: values.related,
    data: request.data ?? {},
    variables: Object.entries(variables).map(([key, value]) => ({ key, value })),
    blocks: request.blocks ?? [],
    action: { id: String(formatSentSourceId(message)), name: source.action.name },
    campaign: values.campaign ?? null,
    stamp,
    event: request.event ?? null,
    account: { ...source.account, culture: source.settings.culture },
    now: values.now,
  }
}

function canHavePixel({ source, facts, rules }: PreparedMessage): boolean {
  const { openConsentField } = source.settings
  return (
    openConsentField === null || (facts.contact !== null && hasFieldConsent(rules, facts.contact, openConsentField))
  )
}

function collectTemplateValues(prepared: PreparedMessage, now: number): UsedTemplateValues {
  const { facts, owner, version, campaign, rules, source } = prepared
  const { needs } = version.compiled
  return {
    contact: facts.contact && owner.valuesOf(facts.contact, needs.contact),
    related: facts.related && owner.valuesOf(facts.related, needs.related),
    ...(campaign && { campaign }),
    zone: resolveRecipientZone(rules, facts.contact, source.settings),
    now,
  }
}

function buildRenderInput(
  prepared: PreparedMessage,
  tokens: AccountTokenKeys,
  values: UsedTemplateValues,
): RenderInput {
  const { message, source } = prepared
  const { account, sourceKind, version, contact, stamp, request, kind } = message
  return {
    mode: getRenderMode(message),
    scope: buildMessageRenderScope(prepared, values),
    links: {
      trackingUrl: source.sender.trackingUrl,
      key: tokens.signing(account),
      account,
      sourceKind,
      source: message.source,
      version,
      contact: contact ?? 0,
      stamp: stamp.id,
    },
    zone: values.zone,
    pixel: canHavePixel(prepared),
    strict: false,
    ...(request.part && { part: request.part }),
    ...(kind === 'fallback' && message.channel !== source.channel && { isFallback: true }),
    ...(source.test && { prefix: source.test.subjectPrefix }),
    ...(request.subject !== undefined && { headers: { subject: request.subject } }),
    ...(request.content && { inline: prepared.version.channel.inlineParts(request.content) }),
  }
}

function toRenderFailure(rendered: { message: string; part: string; position: unknown }): {
  cancellation: SendCancellation
} {
  const { message, part, position } = rendered
  return {
    cancellation: {
      type: 'render error',
      value: { type: 'render', message, position: position === null ? null : { part, ...(position as object) } },
    },
  }
}

/** Filters the links to store: a fallback stores links of its own when it is composed. */
function filterStoredLinks({ message, version }: PreparedMessage, links: ShortLink[]): ShortLink[] {
  if (links.length === 0 || message.kind === 'fallback') return links
  const fallbackLinks = new Set(version.compiled.links.flatMap(({ id, isFallback }) => (isFallback ? [id] : [])))
  return links.filter(({ link }) => !fallbackLinks.has(link))
}

/** Makes one message: rendered, with its tokens, ready for a gateway. What cannot be made is a cancellation. `now` in milliseconds. */
export function composeOutgoingMessage(
  prepared: PreparedMessage,
  tokens: AccountTokenKeys,
  now: number,
): ComposedMessage<OutgoingMessage | readonly OutgoingMessage[]> | { cancellation: SendCancellation } {
  const { message, version, facts, owner, keys, fetched } = prepared
  const values = collectTemplateValues(prepared, now)
  const rendered = renderMessagePieces(version.compiled, buildRenderInput(prepared, tokens, values))
  if (rendered.outcome === 'cancelled') {
    return { cancellation: { type: 'user defined policy', value: { type: 'render', message: rendered.message } } }
  }
  if (rendered.outcome === 'failed') return toRenderFailure(rendered)
  const address = getMessageAddress(prepared)
  const outgoing = version.compose(
    {
      id: message.id,
      message,
      rendered,
      address,
      contactAddress: getContactAddress(prepared),
      endsAt: facts.endsAt,
      account: owner,
      keys,
      fetched,
      attempts: message.attempts,
      own: prepared.own,
      ended: message.deliveries === null ? NO_SEQUENCES : new Set(Object.keys(message.deliveries).map(Number)),
    },
    { tokens, now },
  )
  return 'cancellation' in outgoing
    ? outgoing
    : { prepared, address, values, shortLinks: filterStoredLinks(prepared, rendered.shortLinks), outgoing }
}
