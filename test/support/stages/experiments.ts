import { parseContactId } from '../../../src/lib/ids.ts'
import { assignContactShare } from '../../../src/sending/plan/audience-shares.ts'

interface Tried {
  account: number
  /** As the interface shows it. */
  action: string | number
  holdout: number
  versions: readonly { id: string; share: number }[]
}

/** What each contact is in, by the hash that the contract names: `heldOut`, `rest`, or the id of a version. */
export function placesOf({ account, action, holdout, versions }: Tried, contacts: Iterable<string>) {
  const numbers = versions.map(({ share }, version) => ({ version, share }))
  const shares = { key: `${account}:${action}:experiment`, holdout, versions: numbers }
  return new Map(
    [...contacts].map((one) => {
      const share = assignContactShare(shares, parseContactId(one)!)
      return [one, share === 'heldOut' ? 'heldOut' : share === null ? 'rest' : versions[share]!.id] as const
    }),
  )
}
