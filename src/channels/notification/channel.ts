import type { Db } from '../../database/connect.ts'
import { deleteByIds } from '../../features/subscriptions/removal.ts'
import type { OutgoingPush } from '../../gateways/push-message.ts'
import type { Channel, EndedDelivery } from '../channel.ts'
import { refusedPush } from './bounces.ts'
import { pushBody } from './captured.ts'
import { composePush, gatewayKinds } from './compose.ts'
import { loadPushFacts, type PushFacts, stillGone } from './devices.ts'
import { fixedChannel } from './make.ts'
import { isMuted, optedOut } from './muting.ts'
import { pushSourceOf } from './source.ts'

/** Types of providers by the kinds of their gateways. */
const providers = new Map<string, string>(Object.entries(gatewayKinds).map(([provider, kind]) => [kind, provider]))

/** Devices that are no more are forgotten, unless they were put again since. */
async function keepDeliveries(db: Db, deliveries: readonly EndedDelivery[]): Promise<void> {
  const gone = deliveries.filter(({ delivery }) => delivery.gone && delivery.subscription)
  for (const [account, own] of Map.groupBy(gone, (delivery) => delivery.account)) {
    const devices = own.map(({ delivery }) => ({ id: delivery.subscription!, since: delivery.gone?.timestamp }))
    await deleteByIds(db, account, await stillGone(db, account, devices))
  }
}

/** Push messages to the devices of a contact, carried by push services. */
export const pushChannel: Channel = {
  isSendable: () => true,
  loadOwn: loadPushFacts,
  ownExclusion({ source }, own) {
    const { content } = pushSourceOf(source)
    const { application } = content
    const facts = own as PushFacts
    if (facts.devices.length === 0) return { type: 'no subscription', value: { application } }
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
    const { meta, gateway } = outgoing as OutgoingPush
    const { subscription, channel, redirection } = meta
    const provider = providers.get(gateway?.kind ?? '') ?? null
    const gone = answer.result === 'refused' ? answer.deviceGone : undefined
    return {
      members: { subscription, provider, channel, redirection },
      subscription,
      address: subscription,
      ...(gone && { gone }),
    }
  },
  keepDeliveries,
  verdictOf: refusedPush,
  inlineParts: () => ({}),
  mirrored: ({ title = '', body = '' }) => ({ title, text: body }),
  capturedBody: pushBody,
}
