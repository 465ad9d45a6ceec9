import { Type } from 'typebox'
import { pushChannelTraits } from '../../channels/push/traits.ts'
import type { AccountId } from '../../lib/account.ts'
import { notFoundProblem } from '../../lib/errors/problem.ts'
import { parseInt32Id } from '../../lib/ids.ts'
import type { NotificationKey } from './stored.ts'

export const NotificationParams = Type.Object({ id: Type.String() })

/** Key of the notification in a request. Throws notFound for an invalid id. */
export function parseNotificationKey({
  account,
  params,
}: {
  account: AccountId
  params: { id: string }
}): NotificationKey {
  const id = parseInt32Id(params.id)
  if (id === undefined) throw notFoundProblem(pushChannelTraits.title, params.id)
  return { account, id }
}
