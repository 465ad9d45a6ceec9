import { listDomainKeys } from '../../features/accounts/domain-keys.ts'
import { findDeadLinks } from '../../features/deliverability/dead-links.ts'
import { findContentLinks } from '../../features/deliverability/written-links.ts'
import type { ReportedFlaw } from '../../features/rendering/flaw-schemas.ts'
import { parseMailAddress } from '../../lib/text/mail-address.ts'
import type { ChannelAuthoring, MessagePreviewInput } from '../channel.ts'
import { resolveSenderDomain, toContentSource } from '../version-source.ts'
import { checkMailDomains } from './findings/findings-dns.ts'
import { checkMailHeaders } from './findings/findings-headers.ts'
import { checkImageOnlyMail, checkMailLinks } from './findings/findings-html.ts'
import { toMailParts } from './parts.ts'
import { resolveMailSender } from './sender.ts'

function previewEmail({ source, settings, recipient, headers, rendered }: MessagePreviewInput) {
  const { from, reply: replyAddress, bounceDomain } = source.sender
  return {
    type: 'success' as const,
    recipient,
    sender: {
      bounce: `bounce@${bounceDomain}`,
      label: headers?.from?.label ?? from.label,
      reply: headers?.reply ?? replyAddress,
      value: `${headers?.from?.prefix ?? from.prefix}@${resolveSenderDomain(headers?.from?.domain, source.sender)}`,
    },
    ...toMailParts(rendered.parts),
    headers: { Importance: settings.importance ? 'high' : 'normal' },
  }
}

/** Reports flaws that mailbox operators and filters would object to in a content and its proofs. Takes under a minute. */
const analyseEmail: ChannelAuthoring['analyse'] = async (
  { db, dns, reach },
  account,
  source,
  proofs,
): Promise<ReportedFlaw[]> => {
  const content = toContentSource(source)
  const links = findContentLinks(content)
  const { sender, settings } = source
  const { domain: senderDomain } = sender.from
  const signingKeys = (await listDomainKeys(db, account, senderDomain)).filter(({ state }) => state === 'signing')
  const [domainFlaws, deadLinkFlaws] = await Promise.all([
    checkMailDomains(dns, { from: senderDomain, bounce: sender.bounceDomain, keys: signingKeys }),
    findDeadLinks(links, reach),
  ])
  return [
    ...domainFlaws,
    ...checkMailHeaders({
      purpose: settings.purpose,
      trackingUrl: sender.trackingUrl,
      isSigned: signingKeys.length > 0,
      proofs,
    }),
    ...checkImageOnlyMail(content.parts.find(({ isPage }) => isPage)?.template ?? ''),
    ...deadLinkFlaws,
    ...checkMailLinks(links),
  ]
}

/** Authoring of emails: writing, testing and analysis. */
export const mailAuthoring: ChannelAuthoring = {
  resolveSender: ({ settings, content, sending, publicUrl }) =>
    resolveMailSender(content.headers ?? {}, settings.sendingProfile ?? null, sending, publicUrl),
  replaced: (content, { html = null, text = null, amp = null }) => ({ ...content, html, text, amp }),
  readProofAddress: parseMailAddress,
  proofAddressForm: 'an e-mail address',
  proofErrors: () => [],
  proofOf(parts) {
    const { subject, html } = toMailParts(parts)
    return { subject, htmlBytes: Buffer.byteLength(html) }
  },
  repairableTypes: [],
  analyse: analyseEmail,
  preview: previewEmail,
}
