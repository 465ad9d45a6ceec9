import { type AccountTokenKeys, parseStampAddress } from '../../../lib/crypto/tokens.ts'

/** The address of one message. */
interface SignedAddress<Type> {
  type: Type
  account: number
  stamp: string
}

/**
 * An address at which the service receives mail: for the bounces of one message, to unsubscribe from one, or for reports
 * that name their message in their content.
 */
export type InboundAddress =
  | SignedAddress<'bounce'>
  | SignedAddress<'unsubscribe'>
  | { type: 'reports'; domain: string }

const SIGNED_TYPES = { bounce: 'bounce', unsub: 'unsubscribe' } as const
const REPORT_TYPES = ['fbl', 'abuse']

/**
 * Parses an envelope address, in either case. `undefined` for any other address and for one with an invalid signature. The caller checks
 * the domain of an address for reports.
 */
export function parseInboundAddress(tokens: AccountTokenKeys, address: string): InboundAddress | undefined {
  const [, localPart = '', domain = ''] = /^(.{1,64})@([^@]{1,255})$/.exec(address.toLowerCase()) ?? []
  if (REPORT_TYPES.includes(localPart)) return { type: 'reports', domain }
  const [prefix, token] = localPart.split('+')
  if (token === undefined || (prefix !== 'bounce' && prefix !== 'unsub')) return undefined
  const signedAddress = parseStampAddress(tokens, prefix, token)
  return signedAddress && { type: SIGNED_TYPES[prefix], ...signedAddress }
}
