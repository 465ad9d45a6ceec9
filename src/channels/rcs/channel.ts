import { contentParts } from '../captured-parts.ts'
import type { ActionChannelModule } from '../channel.ts'
import { refusedRcs } from './bounces.ts'
import { rcsBody } from './captured.ts'
import { composeFallback, composeRcs } from './compose/compose.ts'
import { readPhone, routeTo } from './compose/number.ts'
import { rcsAuthoring } from './content/authoring.ts'
import { rcsSourceOf } from './content/source.ts'
import { rcsFollowup } from './followups.ts'

/** The strings of a message, one after the other, for its mirror page. Addresses and postbacks are nothing to read. */
const SHOWN = /^content\/(?:text|(?:card|cards\/\d+)\/(?:title|description))$/

/** RCS: rich messages of agents, carried by RCS Business Messaging. */
export const rcsChannel: ActionChannelModule = {
  isSendable: (address, { rcs }) => readPhone(address, rcs?.country) !== undefined,
  // Each names the gateway of its profile.
  hasDeliveries: true,
  async prepareAudience(tools, version, addresses) {
    const { lookUpAudience } = await import('./audience.ts')
    await lookUpAudience(tools, version, addresses)
  },
  composer(version) {
    const source = rcsSourceOf(version)
    return (input, tools) =>
      input.message.kind === 'fallback' ? composeFallback(source, input) : composeRcs(source, input, tools)
  },
  routeOf: ({ rcs }, address) =>
    routeTo(address, { country: rcs?.country, agent: rcs?.agent ?? '', profile: rcs?.profile ?? 0 }),
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  deliveryOf(_outgoing, answer) {
    const isDelivered = answer.result === 'accepted' && answer.delivered === true
    return isDelivered ? { isDelivered } : {}
  },
  // What has arrived already is followed by nothing.
  followupOf: (message, ended, source) =>
    ended.delivery.isDelivered ? undefined : rcsFollowup(message, ended, source),
  verdictOf: ({ enhanced, gatewayCode }) => refusedRcs(enhanced ?? '5.6.0', gatewayCode),
  // Content that is given is a template, too.
  inlineParts: () => ({}),
  mirrored: (parts) => ({
    title: '',
    text: Object.entries(parts)
      .filter(([name, text]) => SHOWN.test(name) && text.trim() !== '')
      .map(([, text]) => text)
      .join('\n\n'),
  }),
  capturedBody: rcsBody,
  capturedParts: contentParts,
  authoring: rcsAuthoring,
}
