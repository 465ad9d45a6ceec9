import { toALabelDomain } from '../../lib/text/mail-address.ts'
import type { ComposeInput } from '../channel.ts'
import { type ContentVersionSource, resolveSenderDomain } from '../version-source.ts'

type FromAddressInput = Pick<ComposeInput, 'message' | 'account' | 'keys'>

/** The sender of one message. */
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
function isVerifiedDomain({ account, keys }: FromAddressInput, requestedDomain: string): boolean {
  return (
    keys.has(requestedDomain) && account.domains.some(({ domain, verified }) => verified && domain === requestedDomain)
  )
}

/**
 * Resolves the sender of a message: that of the version, overridden by the request. If the domain is not verified at this moment, the
 * account's setting decides. Either the default domain replaces it, and the requested address becomes the reply address unless one is set,
 * or the message is refused. Without a default domain the requested one is used.
 */
export function resolveFromAddress(
  source: Pick<ContentVersionSource, 'sender'>,
  input: FromAddressInput,
): MailFromAddress | RefusedSenderDomain {
  const { message, account } = input
  const { headers } = message.request
  const { prefix, label } = { ...source.sender.from, ...headers?.from }
  const replyAddress = headers?.reply ?? source.sender.reply
  const requestedDomain = toALabelDomain(resolveSenderDomain(headers?.from?.domain, source.sender))
  const defaultDomain = account.domains.find((accountDomain) => accountDomain.default)?.domain
  const buildFromAddress = (senderDomain: string): MailFromAddress => ({
    address: `${prefix}@${senderDomain}`,
    label,
    reply: replyAddress,
    domain: senderDomain,
  })
  if (isVerifiedDomain(input, requestedDomain)) return buildFromAddress(requestedDomain)
  if (account.unverifiedDomain === 'refuse') return { refusedDomain: requestedDomain }
  if (defaultDomain === undefined || requestedDomain === defaultDomain) return buildFromAddress(requestedDomain)
  return { ...buildFromAddress(defaultDomain), reply: replyAddress ?? `${prefix}@${requestedDomain}` }
}
