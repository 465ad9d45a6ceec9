import { Type } from 'typebox'
import { type Family, families } from '../../../channels/families.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFound } from '../../../lib/errors/problem.ts'
import type { ActionRef } from './action-repository.ts'

export const ActionParams = Type.Object({ id: Type.String() })

/** The action of an email or an SMS that a path names. Throws notFound for what is no id. */
export function refOf(account: AccountId, text: string): ActionRef {
  return refIn(families.action, account, text)
}

/** The action of a family that a path names. Throws notFound for what is no id. */
export function refIn(family: Family, account: AccountId, text: string): ActionRef {
  const id = family.readId(text)
  if (id === undefined) throw notFound(family.title, text)
  return { family, account, id }
}
