import { readAddress, type TokenKeys } from '../../lib/tokens.ts'

/** The address of one message. */
interface SignedDoor<Type> {
  type: Type
  account: number
  stamp: string
}

/**
 * What an address of ours is for: the refusals of one message, the wish to get nothing more after one, or reports that
 * name their message within.
 */
export type Door = SignedDoor<'bounce'> | SignedDoor<'unsubscribe'> | { type: 'reports'; domain: string }

const SIGNED = { bounce: 'bounce', unsub: 'unsubscribe' } as const
const REPORTS = ['fbl', 'abuse']

/**
 * The door an envelope address opens, in either case; undefined for any other address, and for one whose signature is
 * not ours (`rendering.md` 5). Whether the domain of one for reports is ours is the caller's to ask.
 */
export function doorOf(tokens: TokenKeys, address: string): Door | undefined {
  const [, local = '', domain = ''] = /^(.{1,64})@([^@]{1,255})$/.exec(address.toLowerCase()) ?? []
  if (REPORTS.includes(local)) return { type: 'reports', domain }
  const [prefix, token] = local.split('+')
  if (token === undefined || (prefix !== 'bounce' && prefix !== 'unsub')) return undefined
  const signed = readAddress(tokens, prefix, token)
  return signed && { type: SIGNED[prefix], ...signed }
}
