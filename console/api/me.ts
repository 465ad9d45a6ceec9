import { createContext, useContext } from 'react'
import { account, data, door } from './client.ts'
import type { Me, Person, Right } from './shapes.ts'

/** The person who is signed in, and what they may do in the account of the address. */
export interface SignedIn extends Me {
  person: Person
}

/** Who is signed in. Throws a `Refusal` with status 401 when nobody is. */
export async function readMe(): Promise<SignedIn> {
  const headers = account === null ? {} : { 'x-account': account }
  return (await data(door.GET('/me', { headers }))) as SignedIn
}

/** The zone of the account of the address; undefined where it cannot be read. */
export async function readZone(): Promise<string | undefined> {
  if (account === null) return undefined
  const call = door.GET('/settings/contacts', { headers: { 'x-account': account } })
  return data(call).then(
    ({ timeZone }) => timeZone,
    () => undefined,
  )
}

const MeContext = createContext<SignedIn | null>(null)
export const MeProvider = MeContext.Provider

export function useMe(): SignedIn {
  const me = useContext(MeContext)
  if (!me) throw new Error('nobody is signed in here')
  return me
}

/** Whether the person may do what asks for this right: what they may not is not shown. */
export function useMay(right: Right): boolean {
  return useMe().rights.includes(right)
}
