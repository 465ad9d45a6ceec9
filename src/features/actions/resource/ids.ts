import { Type } from 'typebox'
import { type ActionFamily, actionFamilies } from '../../../channels/action-families.ts'
import type { AccountId } from '../../../lib/account.ts'
import { notFoundProblem } from '../../../lib/errors/problem.ts'
import type { ActionRef } from './action-repository.ts'

export const ActionParams = Type.Object({ id: Type.String() })

/** The action of an email or an SMS that a path names. Throws notFound for what is no id. */
export function parseActionRef(account: AccountId, text: string): ActionRef {
  return parseFamilyActionRef(actionFamilies.action, account, text)
}

/** The action of a family that a path names. Throws notFound for what is no id. */
export function parseFamilyActionRef(family: ActionFamily, account: AccountId, text: string): ActionRef {
  const id = family.readId(text)
  if (id === undefined) throw notFoundProblem(family.title, text)
  return { family, account, id }
}
