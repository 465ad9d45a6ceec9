import type { Channel } from '../channel.ts'
import { rcsAuthoring } from './authoring.ts'
import { refusedRcs } from './bounces.ts'
import { rcsBody } from './captured.ts'
import { composeFallback, composeRcs } from './compose.ts'
import { rcsFollowup } from './followups.ts'
import { readPhone } from './number.ts'
import { rcsSourceOf } from './source.ts'

/** The strings of a message, one after the other, for its mirror page. Addresses and postbacks are nothing to read. */
const SHOWN = /^content\/(?:text|(?:card|cards\/\d+)\/(?:title|description))$/

/** RCS: rich messages of agents, carried by RCS Business Messaging. */
export const rcsChannel: Channel = {
  isSendable: (address) => readPhone(address) !== undefined,
  composer(version) {
    const source = rcsSourceOf(version)
    return (input, tools) =>
      input.message.kind === 'fallback' ? composeFallback(source, input) : composeRcs(source, input, tools)
  },
  isOurFault: ({ stage }) => stage === 'connect' || stage === 'mail',
  verdictOf: ({ enhanced, gatewayCode }) => refusedRcs(enhanced ?? '5.6.0', gatewayCode),
  followupOf: rcsFollowup,
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
  authoring: rcsAuthoring,
}
