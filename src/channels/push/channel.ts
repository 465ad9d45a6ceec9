import type { OutgoingPush } from '../../gateways/push-message.ts'
import { contentParts } from '../captured-parts.ts'
import type { Channel } from '../channel.ts'
import { attemptOf, keepAttempts } from './attempts.ts'
import { refusedPush } from './bounces.ts'
import { pushBody } from './captured.ts'
import { composePush } from './compose.ts'
import { loadPushFacts, type PushFacts } from './devices.ts'
import { gatewayKinds } from './gateway-kinds.ts'
import { fixedChannel } from './make.ts'
import { isMuted, optedOut } from './muting.ts'
import { pushSourceOf } from './source.ts'

/** Types of providers by the kinds of their gateways. */
const providers = new Map<string, string>(Object.entries(gatewayKinds).map(([provider, kind]) => [kind, provider]))

/** Push messages to the devices of a contact, carried by push services. */
export const pushChannel: Channel = {
  isSendable: () => true,
  loadOwn: loadPushFacts,
  ownExclusion({ source }, own) {
    const { content } = pushSourceOf(source)
    const { application } = content
    const facts = own as PushFacts
    if (facts.devices.length === 0) {
      const value = { application, ...(facts.hasSilent && { silent: true }) }
      return { type: 'no subscription', value }
    }
    const channel = fixedChannel(content.channel, facts)
    const refused = facts.devices.every((device) => device.muted || (channel !== undefined && isMuted(device, channel)))
    return refused ? optedOut(facts.devices, channel ?? null) : undefined
  },
  pushOf(source, { request, contact }) {
    const { versionId, application } = pushSourceOf(source).content
    return { version: versionId, application, subscription: contact === null ? (request.subscription ?? null) : null }
  },
  hasDeliveries: true,
  triesUntilExpiry: true,
  composer(version) {
    const source = pushSourceOf(version)
    return (input, tools) => composePush(source, input, tools)
  },
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  deliveryOf(outgoing, answer) {
    const push = outgoing as OutgoingPush
    const { meta, render, gateway } = push
    const { subscription, channel, redirection } = meta
    const provider = providers.get(gateway?.kind ?? '') ?? null
    const gone = answer.result === 'refused' ? answer.deviceGone : undefined
    return {
      members: { subscription, provider, channel, redirection },
      subscription,
      address: subscription,
      title: render.title,
      ...(provider !== null && attemptOf(push, provider, gone)),
    }
  },
  keepDeliveries: keepAttempts,
  verdictOf: refusedPush,
  inlineParts: () => ({}),
  mirrored: ({ title = '', body = '' }) => ({ title, text: body }),
  capturedBody: pushBody,
  capturedParts: contentParts,
}
