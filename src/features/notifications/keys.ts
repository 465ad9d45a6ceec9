import { Type } from 'typebox'
import { notification } from '../../channels/push/facts.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFound } from '../../lib/errors/problem.ts'
import { readIntId } from '../../lib/ids.ts'
import type { NotificationKey } from './stored.ts'

export const NotificationParams = Type.Object({ id: Type.String() })

/** Which notification a request names. Throws notFound for what can be none. */
export function keyOf({ account, params }: { account: AccountId; params: { id: string } }): NotificationKey {
  const id = readIntId(params.id)
  if (id === undefined) throw notFound(notification.title, params.id)
  return { account, id }
}
