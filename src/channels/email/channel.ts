import { classifyBounce } from '../../features/bounces/classify-mail-bounce.ts'
import { toWireMailAddress } from '../../lib/text/mail-address.ts'
import type { ActionChannelModule } from '../channel.ts'
import { mailAuthoring } from './authoring.ts'
import { parseCapturedMail, renderCapturedMail } from './captured.ts'
import { createMailComposer } from './compose.ts'
import { toMailParts } from './parts.ts'

/** Email: composed as MIME, carried by SMTP. */
export const emailChannel: ActionChannelModule = {
  isSendable: (address) => toWireMailAddress(address) !== undefined,
  composer: createMailComposer,
  isOurFault: () => false,
  verdictOf: ({ stage, code, reply, enhanced }) => classifyBounce({ stage, reply: code, text: reply, enhanced }),
  inlineParts: ({ html = '', text = '', amp = '' }) => ({ html, text, amp }),
  mirrored(parts) {
    const { subject, html, text } = toMailParts(parts)
    return html === '' ? { title: subject, text } : { html }
  },
  capturedBody: renderCapturedMail,
  capturedParts: parseCapturedMail,
  authoring: mailAuthoring,
}
