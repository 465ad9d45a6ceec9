import { parseCapturedJson } from '../captured-parts.ts'
import type { ActionChannelModule } from '../channel.ts'
import { renderCapturedRcs } from './captured.ts'
import { classifyRcsRefusal } from './classify-rcs-refusal.ts'
import { composeRcsFallback, composeRcsMessage } from './compose/compose.ts'
import { parseRcsPhone, resolveRcsRoute } from './compose/number.ts'
import { rcsAuthoring } from './content/authoring.ts'
import { requireRcsSource } from './content/source.ts'
import { buildRcsFollowup } from './followups.ts'

/** The strings of a message, one after the other, for its mirror page. Addresses and postbacks are nothing to read. */
const DISPLAYED_PART_PATTERN = /^content\/(?:text|(?:card|cards\/\d+)\/(?:title|description))$/

/** RCS: rich messages of agents, carried by RCS Business Messaging. */
export const rcsChannel: ActionChannelModule = {
  isSendable: (address, { rcs }) => parseRcsPhone(address, rcs?.country) !== undefined,
  // Each names the gateway of its profile.
  hasDeliveries: true,
  async prepareAudience(tools, version, addresses) {
    const { lookUpRcsAudience } = await import('./audience.ts')
    await lookUpRcsAudience(tools, version, addresses)
  },
  composer(version) {
    const source = requireRcsSource(version)
    return (input, tools) =>
      input.message.kind === 'fallback' ? composeRcsFallback(source, input) : composeRcsMessage(source, input, tools)
  },
  routeOf: ({ rcs }, address) =>
    resolveRcsRoute(address, { country: rcs?.country, agent: rcs?.agent ?? '', profile: rcs?.profile ?? 0 }),
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  deliveryOf(_outgoing, answer) {
    const isDelivered = answer.result === 'accepted' && answer.delivered === true
    return isDelivered ? { isDelivered } : {}
  },
  // What has arrived already is followed by nothing.
  followupOf: (message, endedDelivery, source) =>
    endedDelivery.delivery.isDelivered ? undefined : buildRcsFollowup(message, endedDelivery, source),
  verdictOf: ({ enhanced, gatewayCode }) => classifyRcsRefusal(enhanced ?? '5.6.0', gatewayCode),
  // Inline content is a template, too.
  inlineParts: () => ({}),
  mirrored: (parts) => ({
    title: '',
    text: Object.entries(parts)
      .filter(([name, text]) => DISPLAYED_PART_PATTERN.test(name) && text.trim() !== '')
      .map(([, text]) => text)
      .join('\n\n'),
  }),
  capturedBody: renderCapturedRcs,
  capturedParts: parseCapturedJson,
  authoring: rcsAuthoring,
}
