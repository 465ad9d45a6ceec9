import { type Static, Type } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import { enqueueTask } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflictProblem } from '../../lib/errors/problem.ts'
import { countSendingUsers } from '../people/members/colleagues.ts'

const settingsProperties = {
  approval: Type.Boolean({ description: 'True: sends requested by a user require the approval of another user.' }),
  requireSecondFactor: Type.Boolean({
    description: 'True: users without a second factor have no access to the account.',
  }),
  maskPersonalData: Type.Boolean({
    description: 'True: users with the role `viewer` see email addresses and phone numbers masked.',
  }),
}
export const MemberSettings = Type.Object(settingsProperties)
export type MemberSettings = Static<typeof MemberSettings>

export const MemberSettingsBody = Type.Partial(MemberSettings)
export type MemberSettingsBody = Static<typeof MemberSettingsBody>

/** Minimum number of users who may send, including the one who requests approval. */
const MIN_SENDERS = 2

/** Reads the settings that an account requires of its members. */
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
 * Changes the members that are present. `by`: the user who makes the change. The other admins are notified when approvals are switched
 * off. Throws conflict `too-few-senders` if nobody could approve.
 */
export async function updateMemberSettings(
  tx: Db,
  account: AccountId,
  { by, approval, requireSecondFactor, maskPersonalData }: MemberSettingsBody & { by: string | null },
): Promise<MemberSettings> {
  const currentSettings = await readMemberSettings(tx, account)
  if (approval && !currentSettings.approval && (await countSendingUsers(tx, account)) < MIN_SENDERS) {
    const detail = `At least ${MIN_SENDERS} users must have the right "send", because users cannot approve their own requests.`
    throw conflictProblem('too-few-senders', detail)
  }
  await tx
    .updateTable('accounts')
    .set({
      approval: approval ?? currentSettings.approval,
      require_second_factor: requireSecondFactor ?? currentSettings.requireSecondFactor,
      mask_personal_data: maskPersonalData ?? currentSettings.maskPersonalData,
    })
    .where('id', '=', account)
    .execute()
  if (currentSettings.approval && approval === false) await enqueueTask(tx, 'people.approval', { account, by })
  return readMemberSettings(tx, account)
}
