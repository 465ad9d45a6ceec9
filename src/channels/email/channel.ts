import { classifyBounce } from '../../features/events/bounces.ts'
import { wireAddress } from '../../lib/mail-address.ts'
import type { Channel } from '../channel.ts'
import { mailAuthoring } from './authoring.ts'
import { mailBody } from './captured.ts'
import { mailComposer } from './compose.ts'

/** Email: composed as MIME, carried by SMTP. */
export const emailChannel: Channel = {
  isSendable: (address) => wireAddress(address) !== undefined,
  composer: mailComposer,
  isOurFault: () => false,
  verdictOf: ({ stage, code, reply, enhanced }) => classifyBounce({ stage, reply: code, text: reply, enhanced }),
  capturedBody: mailBody,
  authoring: mailAuthoring,
}
