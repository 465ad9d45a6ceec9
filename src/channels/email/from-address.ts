import { toALabelDomain } from '../../lib/text/mail-address.ts'
import type { ComposeInput } from '../channel.ts'
import { type ContentVersionSource, resolveSenderDomain } from '../version-source.ts'

type Composed = Pick<ComposeInput, 'message' | 'account' | 'keys'>

/** Who one message is from. */
export interface MailFromAddress {
  address: string
  label: string | null
  reply: string | null
  domain: string
}

/** The account sends nothing from this domain (`unverifiedDomain` is `refuse`). */
export interface RefusedSenderDomain {
  refusedDomain: string
}

/** A domain whose keys cannot be opened signs nothing, so it is not verified here. */
function isVerified({ account, keys }: Composed, wanted: string): boolean {
  return keys.has(wanted) && account.domains.some(({ domain, verified }) => verified && domain === wanted)
}

/**
 * The sender of a message: the version's, but for what the request names. A domain that is not verified at this moment
 * is exchanged for the default one, and the wanted address becomes the one for replies unless there is one; or it is
 * refused, as the account says (`rendering.md` 9.3). Without a default domain there is nothing to exchange it for.
 */
export function resolveFromAddress(
  source: Pick<ContentVersionSource, 'sender'>,
  input: Composed,
): MailFromAddress | RefusedSenderDomain {
  const { message, account } = input
  const { headers } = message.request
  const { prefix, label } = { ...source.sender.from, ...headers?.from }
  const reply = headers?.reply ?? source.sender.reply
  const wanted = toALabelDomain(resolveSenderDomain(headers?.from?.domain, source.sender))
  const fallback = account.domains.find((one) => one.default)?.domain
  const as = (chosen: string): MailFromAddress => ({ address: `${prefix}@${chosen}`, label, reply, domain: chosen })
  if (isVerified(input, wanted)) return as(wanted)
  if (account.unverifiedDomain === 'refuse') return { refusedDomain: wanted }
  if (fallback === undefined || wanted === fallback) return as(wanted)
  return { ...as(fallback), reply: reply ?? `${prefix}@${wanted}` }
}
