import { type Static, Type } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { countSendingUsers } from '../people/members/colleagues.ts'

const members = {
  approval: Type.Boolean({ description: 'what a person would send needs the word of another one' }),
  requireSecondFactor: Type.Boolean({ description: 'people without a second factor may do nothing here' }),
  maskPersonalData: Type.Boolean({ description: 'viewers see addresses and numbers masked' }),
}
export const MemberSettings = Type.Object(members)
export type MemberSettings = Static<typeof MemberSettings>

export const MemberSettingsBody = Type.Partial(MemberSettings)
export type MemberSettingsBody = Static<typeof MemberSettingsBody>

/** Whoever may send beside the one who asks. */
const LEAST_SENDERS = 2

/** What an account asks of the people who work in it. */
export async function readMemberSettings(db: Db, account: AccountId): Promise<MemberSettings> {
  return db
    .selectFrom('accounts')
    .select(['approval', 'require_second_factor as requireSecondFactor', 'mask_personal_data as maskPersonalData'])
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
}

/** Holds the settings of an account until the transaction ends. */
export async function lockMemberSettings(tx: Db, account: AccountId): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', account).forNoKeyUpdate().execute()
}

/**
 * Changes the members given; `by`: the person who does. That approvals are switched off is told to the other admins. Throws
 * conflict `too-few-senders` for approvals that nobody could give.
 */
export async function updateMemberSettings(
  tx: Db,
  account: AccountId,
  { by, approval, requireSecondFactor, maskPersonalData }: MemberSettingsBody & { by: string | null },
): Promise<MemberSettings> {
  const present = await readMemberSettings(tx, account)
  if (approval && !present.approval && (await countSendingUsers(tx, account)) < LEAST_SENDERS) {
    const detail = `At least ${LEAST_SENDERS} people must hold the right "send": nobody approves what they ask for themselves.`
    throw conflictProblem('too-few-senders', detail)
  }
  await tx
    .updateTable('accounts')
    .set({
      approval: approval ?? present.approval,
      require_second_factor: requireSecondFactor ?? present.requireSecondFactor,
      mask_personal_data: maskPersonalData ?? present.maskPersonalData,
    })
    .where('id', '=', account)
    .execute()
  if (present.approval && approval === false) await enqueueTask(tx, 'people.approval', { account, by })
  return readMemberSettings(tx, account)
}
