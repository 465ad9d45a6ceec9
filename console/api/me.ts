import { createContext, useContext } from 'react'
import { accountId, readAnswer, signInClient } from './client.ts'
import type { ApiCurrentUser, ApiRight, ApiUser } from './shapes.ts'

/** The person who is signed in, and what they may do in the account of the address. */
export interface SignedInUser extends ApiCurrentUser {
  person: ApiUser
}

/** Who is signed in. Throws a `Refusal` with status 401 when nobody is. */
export async function readCurrentUser(): Promise<SignedInUser> {
  const headers = accountId === null ? {} : { 'x-account': accountId }
  return (await readAnswer(signInClient.GET('/me', { headers }))) as SignedInUser
}

/** The zone of the account of the address; undefined where it cannot be read. */
export async function readAccountZone(): Promise<string | undefined> {
  if (accountId === null) return undefined
  const call = signInClient.GET('/settings/contacts', { headers: { 'x-account': accountId } })
  return readAnswer(call).then(
    ({ timeZone }) => timeZone,
    () => undefined,
  )
}

const MeContext = createContext<SignedInUser | null>(null)
export const CurrentUserProvider = MeContext.Provider

export function useCurrentUser(): SignedInUser {
  const me = useContext(MeContext)
  if (!me) throw new Error('nobody is signed in here')
  return me
}

/** Whether the person may do what asks for this right: what they may not is not shown. */
export function useHasRight(right: ApiRight): boolean {
  return useCurrentUser().rights.includes(right)
}
