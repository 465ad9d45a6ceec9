import { type ChannelActionType, getActionChannel } from '../../../channels/channel-traits.ts'
import { loadChannel } from '../../../channels/load-channel.ts'
import { badRequestProblem, conflictProblem } from '../../../lib/errors/problem.ts'
import { buildApiPath, type McpApiCaller, readApiResource, requestApiBody } from '../ask.ts'
import { describeExclusionReason, type ExclusionReason } from '../reasons.ts'
import type { McpToolContext } from '../tool.ts'
import { wrapUntrusted } from '../untrusted.ts'
import type { McpContact } from './contacts.ts'
import {
  describeMessageState,
  isCampaignMessage,
  type McpMessage,
  type McpMessageReference,
  mcpMessageKinds,
  mcpMessagePath,
  messageChannel,
} from './kinds.ts'

/** The part of an audience that decides whether anything would be sent. */
export interface McpAudience {
  net: number
  cannot: { type: string; count: number }[]
  exact: boolean
}

/** Throws conflict `audience-empty` for a campaign that would start now and reach nobody. */
function assertAudience({ net, cannot, exact }: McpAudience): void {
  if (net === 0) throw conflictProblem('audience-empty', 'No contact is in the audience of the campaign.')
  const excludedCount = cannot.reduce((sum, { count }) => sum + count, 0)
  if (!exact || excludedCount < net) return
  const reasons = cannot.map(({ type, count }) => `${count} ${type}`).join(', ')
  throw conflictProblem('audience-empty', `No contact of the audience can get the campaign: ${reasons}.`)
}

/** That messages of a channel are captured, as the account has no gateway for it. */
async function listGatewayWarnings(ask: McpApiCaller, message: McpMessage): Promise<string[]> {
  const channel = messageChannel(message)
  if (channel !== 'email' && channel !== 'sms') return []
  const gateways = await readApiResource<{ channel: string; carries: boolean }[]>(ask, '/gateways')
  if (gateways.some((gateway) => gateway.channel === channel && gateway.carries)) return []
  const channelText = channel === 'email' ? 'email' : 'SMS'
  return [`No gateway is set up for ${channelText}: the messages are captured and do not leave the service.`]
}

/** Throws what would prevent a release, tried without effect. Returns what the person should know. */
export async function checkMessageRelease(
  desk: McpToolContext,
  { kind = 'message', id }: McpMessageReference,
  message: McpMessage,
  audience: McpAudience,
): Promise<readonly string[]> {
  await desk.assertReleasable(mcpMessageKinds[kind].approvalKind, id)
  if (isCampaignMessage(message) && message.scheduler?.type === 'asap') assertAudience(audience)
  return listGatewayWarnings(desk.ask, message)
}

/** Throws conflict unless a message can be sent on demand now. */
function assertSentOnDemand(message: McpMessage): void {
  if (message.state === undefined) {
    if (message.active) return
    throw conflictProblem('notification-inactive', `The notification ${message.id} is not active.`)
  }
  if (isCampaignMessage(message))
    throw conflictProblem(
      'action-state',
      `The message ${message.id} is a campaign, which is sent to its segments by send_campaign.`,
    )
  if (message.state === 50) return
  throw conflictProblem(
    'action-state',
    `The message ${message.id} is not validated for production: it is ${describeMessageState(message)}.`,
  )
}

type RenderResult = { type: 'success' } | { type: 'error'; value: ExclusionReason }

/** Throws conflict `contact-unreachable` if a message cannot be rendered for a contact. */
export async function assertMessageRenders(
  ask: McpApiCaller,
  reference: McpMessageReference,
  contact: McpContact,
): Promise<void> {
  const { recipientMember } = mcpMessageKinds[reference.kind ?? 'message']
  const body = { [recipientMember]: { type: 'id', value: contact.id } }
  const path = `${mcpMessagePath(reference)}/render`
  const rendered = await requestApiBody<RenderResult>(ask, { method: 'POST', path, body })
  if (rendered.type !== 'error') return
  const reason = describeExclusionReason(contact, rendered.value)
  throw conflictProblem('contact-unreachable', `The message cannot be sent to the contact. ${reason}.`, {
    more: wrapUntrusted(rendered.value),
  })
}

/** Reasons that do not prevent a message, or that settings of the message decide. */
function isDecisive({ settings }: McpMessage, { type, value }: ExclusionReason): boolean {
  if (type === 'marketing pressure') return false
  if (type === 'consent') return (settings?.consent ?? 0) > 0
  const field = value?.['field']
  return typeof field !== 'number' || field === settings?.field
}

/** Throws what would prevent a send to one contact. Returns what the person should know. */
export async function checkContactSend(
  { ask }: McpToolContext,
  reference: McpMessageReference,
  message: McpMessage,
  contact: McpContact,
): Promise<readonly string[]> {
  assertSentOnDemand(message)
  await assertMessageRenders(ask, reference, contact)
  const { purpose, mp } = message.settings ?? {}
  const reachability = await readApiResource<Record<string, { because: ExclusionReason[] } | undefined>>(
    ask,
    buildApiPath`/targets/${contact.id}/reachability`,
    { purpose: purpose?.type, topic: mp?.topic ?? undefined },
  )
  const reasons = reachability[messageChannel(message)]?.because ?? []
  const decisive = reasons.filter((reason) => isDecisive(message, reason))
  if (decisive.length > 0) {
    const texts = decisive.map((reason) => describeExclusionReason(contact, reason)).join('. ')
    throw conflictProblem('contact-unreachable', `The contact cannot get the message. ${texts}.`)
  }
  const pressure = reasons.filter(({ type }) => type === 'marketing pressure')
  return [
    ...pressure.map(
      (reason) => `${describeExclusionReason(contact, reason)}: the message may be postponed or cancelled.`,
    ),
    ...(await listGatewayWarnings(ask, message)),
  ]
}

/** Throws 400 for an address that proofs of an email or SMS cannot be sent to, and conflict unless they can be sent now. */
export async function assertTestable(desk: McpToolContext, message: McpMessage, address: string): Promise<void> {
  const { id, type, state = 0 } = message
  const { authoring } = await loadChannel(getActionChannel(type as ChannelActionType))
  if (authoring.readProofAddress(address.trim()) === undefined)
    throw badRequestProblem('address', `must be ${authoring.proofAddressForm}`)
  if (state === 20) return
  // Names the missing parts.
  if (state === 10) await desk.assertReleasable('action', id)
  const stateText = describeMessageState(message)
  throw conflictProblem('action-state', `Only a complete draft can be tested: the message ${id} is ${stateText}.`)
}
