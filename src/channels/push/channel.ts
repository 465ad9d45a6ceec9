import type { OutgoingPush } from '../../gateways/push-message.ts'
import { parseCapturedJson } from '../captured-parts.ts'
import type { ChannelModule } from '../channel.ts'
import { recordPushAttempts, toPushAttempt } from './attempts.ts'
import { renderCapturedPush } from './captured.ts'
import { classifyPushRefusal } from './classify-push-refusal.ts'
import { composePush } from './compose.ts'
import { loadPushRecipients, type PushRecipient } from './devices.ts'
import { pushGatewayKinds } from './gateway-kinds.ts'
import { findFixedPushChannel } from './make.ts'
import { buildOptOutCancellation, isPushDeviceMuted } from './muting.ts'
import { requirePushSource } from './source.ts'

/** Types of providers by the kinds of their gateways. */
const providersByKind = new Map<string, string>(
  Object.entries(pushGatewayKinds).map(([provider, kind]) => [kind, provider]),
)

/** Push messages to the devices of a contact, carried by push services. */
export const pushChannel: ChannelModule = {
  isSendable: () => true,
  loadOwn: loadPushRecipients,
  ownExclusion({ source }, recipientData) {
    const { content } = requirePushSource(source)
    const { application } = content
    const recipient = recipientData as PushRecipient
    if (recipient.devices.length === 0) {
      const value = { application, ...(recipient.hasSilent && { silent: true }) }
      return { type: 'no subscription', value }
    }
    const channel = findFixedPushChannel(content.channel, recipient)
    const isOptedOut = recipient.devices.every(
      (device) => device.muted || (channel !== undefined && isPushDeviceMuted(device, channel)),
    )
    return isOptedOut ? buildOptOutCancellation(recipient.devices, channel ?? null) : undefined
  },
  pushOf(source, { request, contact }) {
    const { versionId, application } = requirePushSource(source).content
    return { version: versionId, application, subscription: contact === null ? (request.subscription ?? null) : null }
  },
  hasDeliveries: true,
  triesUntilExpiry: true,
  composer(version) {
    const source = requirePushSource(version)
    return (input, tools) => composePush(source, input, tools)
  },
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  deliveryOf(outgoing, answer) {
    const push = outgoing as OutgoingPush
    const { meta, render, gateway } = push
    const { subscription, channel, redirection } = meta
    const provider = providersByKind.get(gateway?.kind ?? '') ?? null
    const goneReport = answer.result === 'refused' ? answer.deviceGone : undefined
    return {
      members: { subscription, provider, channel, redirection },
      subscription,
      address: subscription,
      title: render.title,
      ...(provider !== null && toPushAttempt(push, provider, goneReport)),
    }
  },
  keepDeliveries: recordPushAttempts,
  verdictOf: classifyPushRefusal,
  inlineParts: () => ({}),
  mirrored: ({ title = '', body = '' }) => ({ title, text: body }),
  capturedBody: renderCapturedPush,
  capturedParts: parseCapturedJson,
}
