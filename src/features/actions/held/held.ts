import { actionFamilies, listFamilyActionTypes } from '../../../channels/action-families.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import { badRequestProblem, notFoundProblem } from '../../../lib/errors/problem.ts'
import { formatContactId } from '../../../lib/ids.ts'
import { formatSentSourceId } from '../../../lib/sources.ts'
import {
  decideHeldMessages,
  type HeldOutboxMessage,
  listHeldOutboxMessages,
} from '../../../sending/record/held-messages.ts'
import type { HeldDecision, HeldMessage } from './held-schemas.ts'

/** Position of a message in the list; it is not part of the response. */
const LIST_POSITION = Symbol('place')
export type ListedHeldMessage = HeldMessage & { [LIST_POSITION]: number }
export const heldMessageCursor = (listed: ListedHeldMessage): number => listed[LIST_POSITION]

/** The action that an id names, deleted or not, as what is held of it stays: of any family. Throws notFound. */
async function resolveHeldSource(db: Db, account: AccountId, text: string) {
  const namedActions = Object.values(actionFamilies).flatMap((family) => {
    const id = family.readId(text)
    return id === undefined ? [] : [{ family, id, types: listFamilyActionTypes(family) }]
  })
  const ids = namedActions.map(({ id }) => id)
  const rows = await db
    .selectFrom('actions')
    .select(['id', 'type'])
    .where('account', '=', account)
    .where('id', 'in', ids.length === 0 ? [0] : ids)
    .execute()
  const matchingAction = namedActions.find(({ id, types }) =>
    rows.some((row) => row.id === id && types.some((type) => type === row.type)),
  )
  if (!matchingAction) throw notFoundProblem(actionFamilies.action.title, text)
  return { sourceKind: matchingAction.family.sourceKind, source: matchingAction.id }
}

function presentHeldMessage({
  id,
  stamp,
  sourceKind,
  source,
  contact,
  since,
  why,
}: HeldOutboxMessage): ListedHeldMessage {
  const contactLabel = contact === null ? null : formatContactId(contact)
  return {
    [LIST_POSITION]: id,
    message: stamp,
    action: formatSentSourceId({ sourceKind, source }),
    contact: contactLabel,
    since: since.toISOString(),
    why,
  }
}

/** The held messages of an account, or of one of its actions. Throws notFound (action) before the first. */
export async function* listHeldMessages(
  db: Db,
  account: AccountId,
  { action, ...page }: { action: string | undefined; after: number | undefined; limit: number | undefined },
): AsyncGenerator<ListedHeldMessage> {
  const sourceFilter = action === undefined ? undefined : await resolveHeldSource(db, account, String(action))
  for await (const heldMessage of listHeldOutboxMessages(db, account, { ...page, of: sourceFilter }))
    yield presentHeldMessage(heldMessage)
}

/**
 * Decides what becomes of held messages; gives how many they were. Throws 400 unless either an action or messages are
 * named, notFound (action).
 */
export async function applyHeldDecision(
  db: Db,
  account: AccountId,
  { decision, action, messages }: HeldDecision,
  now: Date,
): Promise<number> {
  if ((action === undefined) === (messages === undefined))
    throw badRequestProblem('/messages', 'specify either action or messages')
  const sourceFilter =
    action === undefined ? { stamps: messages ?? [] } : await resolveHeldSource(db, account, String(action))
  return decideHeldMessages(db, account, { decision, of: sourceFilter }, now)
}
