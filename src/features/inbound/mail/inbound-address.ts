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

const SIGNED = { bounce: 'bounce', unsub: 'unsubscribe' } as const
const REPORTS = ['fbl', 'abuse']

/**
 * Reads an envelope address, in either case; undefined for any other address, and for one with an invalid signature
 * (`rendering.md` 5). The caller checks the domain of an address for reports.
 */
export function parseInboundAddress(tokens: AccountTokenKeys, address: string): InboundAddress | undefined {
  const [, local = '', domain = ''] = /^(.{1,64})@([^@]{1,255})$/.exec(address.toLowerCase()) ?? []
  if (REPORTS.includes(local)) return { type: 'reports', domain }
  const [prefix, token] = local.split('+')
  if (token === undefined || (prefix !== 'bounce' && prefix !== 'unsub')) return undefined
  const signed = parseStampAddress(tokens, prefix, token)
  return signed && { type: SIGNED[prefix], ...signed }
}
