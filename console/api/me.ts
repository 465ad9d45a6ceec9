import { createContext, useContext } from 'react'
import { accountId, signInClient } from './client.ts'
import type { ApiCurrentUser, ApiRight, ApiUser } from './shapes.ts'

/** The person who is signed in, and what they may do in the account of the address. */
export interface SignedInUser extends ApiCurrentUser {
  person: ApiUser
}

/** Reads the signed-in user. Throws a `Refusal` with status 401 if nobody is signed in. */
export async function readCurrentUser(): Promise<SignedInUser> {
  const headers = accountId === null ? {} : { 'x-account': accountId }
  return (await signInClient.getMe({ headers })) as SignedInUser
}

/** The zone of the account of the address; undefined where it cannot be read. */
export async function readAccountZone(): Promise<string | undefined> {
  if (accountId === null) return undefined
  const zoneCall = signInClient.getContactSettings({ headers: { 'x-account': accountId } })
  return zoneCall.then(
    ({ timeZone }) => timeZone,
    () => undefined,
  )
}

const CurrentUserContext = createContext<SignedInUser | null>(null)
export const CurrentUserProvider = CurrentUserContext.Provider

export function useCurrentUser(): SignedInUser {
  const currentUser = useContext(CurrentUserContext)
  if (!currentUser) throw new Error('nobody is signed in here')
  return currentUser
}

/** True if the user has this right; actions without the right are not shown. */
export function useHasRight(right: ApiRight): boolean {
  return useCurrentUser().rights.includes(right)
}
