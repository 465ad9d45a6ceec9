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

function preview({ source, settings, recipient, headers, rendered }: MessagePreviewInput) {
  const { from, reply, bounceDomain } = source.sender
  return {
    type: 'success' as const,
    recipient,
    sender: {
      bounce: `bounce@${bounceDomain}`,
      label: headers?.from?.label ?? from.label,
      reply: headers?.reply ?? reply,
      value: `${headers?.from?.prefix ?? from.prefix}@${resolveSenderDomain(headers?.from?.domain, source.sender)}`,
    },
    ...toMailParts(rendered.parts),
    headers: { Importance: settings.importance ? 'high' : 'normal' },
  }
}

/** What mailbox operators and filters would hold against a content and its proofs (decision 19). Under a minute. */
const analyse: ChannelAuthoring['analyse'] = async (
  { db, dns, reach },
  account,
  source,
  proofs,
): Promise<ReportedFlaw[]> => {
  const content = toContentSource(source)
  const links = findContentLinks(content)
  const { sender, settings } = source
  const { domain } = sender.from
  const keys = (await listDomainKeys(db, account, domain)).filter(({ state }) => state === 'signing')
  const [domains, dead] = await Promise.all([
    checkMailDomains(dns, { from: domain, bounce: sender.bounceDomain, keys }),
    findDeadLinks(links, reach),
  ])
  return [
    ...domains,
    ...checkMailHeaders({
      purpose: settings.purpose,
      trackingUrl: sender.trackingUrl,
      isSigned: keys.length > 0,
      proofs,
    }),
    ...checkImageOnlyMail(content.parts.find(({ isPage }) => isPage)?.template ?? ''),
    ...dead,
    ...checkMailLinks(links),
  ]
}

/** How emails are written, tested and looked at. */
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
  analyse,
  preview,
}
