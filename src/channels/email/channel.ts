import { classifyBounce } from '../../features/events/bounces/bounces.ts'
import { wireAddress } from '../../lib/text/mail-address.ts'
import type { ActionChannelModule } from '../channel.ts'
import { mailAuthoring } from './authoring.ts'
import { capturedMail, mailBody } from './captured.ts'
import { mailComposer } from './compose.ts'
import { mailParts } from './parts.ts'

/** Email: composed as MIME, carried by SMTP. */
export const emailChannel: ActionChannelModule = {
  isSendable: (address) => wireAddress(address) !== undefined,
  composer: mailComposer,
  isOurFault: () => false,
  verdictOf: ({ stage, code, reply, enhanced }) => classifyBounce({ stage, reply: code, text: reply, enhanced }),
  inlineParts: ({ html = '', text = '', amp = '' }) => ({ html, text, amp }),
  mirrored(parts) {
    const { subject, html, text } = mailParts(parts)
    return html === '' ? { title: subject, text } : { html }
  },
  capturedBody: mailBody,
  capturedParts: capturedMail,
  authoring: mailAuthoring,
}
