import { listKeysOfDomain } from '../../features/accounts/domain-keys.ts'
import { findDeadLinks } from '../../features/deliverability/dead-links.ts'
import { writtenLinks } from '../../features/deliverability/written-links.ts'
import type { FlawShown } from '../../features/rendering/flaw-schemas.ts'
import { readMailAddress } from '../../lib/text/mail-address.ts'
import type { Authoring, PreviewInput } from '../channel.ts'
import { contentSourceOf, domainGiven } from '../version-source.ts'
import { checkDomains } from './findings/findings-dns.ts'
import { checkMail } from './findings/findings-headers.ts'
import { checkImagesOnly, checkLinks } from './findings/findings-html.ts'
import { mailParts } from './parts.ts'
import { resolveSender } from './sender.ts'

function preview({ source, settings, recipient, headers, rendered }: PreviewInput) {
  const { from, reply, bounceDomain } = source.sender
  return {
    type: 'success' as const,
    recipient,
    sender: {
      bounce: `bounce@${bounceDomain}`,
      label: headers?.from?.label ?? from.label,
      reply: headers?.reply ?? reply,
      value: `${headers?.from?.prefix ?? from.prefix}@${domainGiven(headers?.from?.domain, source.sender)}`,
    },
    ...mailParts(rendered.parts),
    headers: { Importance: settings.importance ? 'high' : 'normal' },
  }
}

/** What mailbox operators and filters would hold against a content and its proofs (decision 19). Under a minute. */
const analyse: Authoring['analyse'] = async ({ db, dns, reach }, account, source, proofs): Promise<FlawShown[]> => {
  const content = contentSourceOf(source)
  const links = writtenLinks(content)
  const { sender, settings } = source
  const { domain } = sender.from
  const keys = (await listKeysOfDomain(db, account, domain)).filter(({ state }) => state === 'signing')
  const [domains, dead] = await Promise.all([
    checkDomains(dns, { from: domain, bounce: sender.bounceDomain, keys }),
    findDeadLinks(links, reach),
  ])
  return [
    ...domains,
    ...checkMail({
      purpose: settings.purpose,
      trackingUrl: sender.trackingUrl,
      isSigned: keys.length > 0,
      proofs,
    }),
    ...checkImagesOnly(content.parts.find(({ isPage }) => isPage)?.template ?? ''),
    ...dead,
    ...checkLinks(links),
  ]
}

/** How emails are written, tested and looked at. */
export const mailAuthoring: Authoring = {
  resolveSender: ({ settings, content, sending, publicUrl }) =>
    resolveSender(content.headers ?? {}, settings.sendingProfile ?? null, sending, publicUrl),
  replaced: (content, { html = null, text = null, amp = null }) => ({ ...content, html, text, amp }),
  readProofAddress: readMailAddress,
  proofAddressForm: 'an e-mail address',
  proofErrors: () => [],
  proofOf(parts) {
    const { subject, html } = mailParts(parts)
    return { subject, htmlBytes: Buffer.byteLength(html) }
  },
  repairableTypes: [],
  analyse,
  preview,
}
