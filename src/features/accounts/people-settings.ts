import { type Static, Type } from 'typebox'
import type { Db } from '../../database/connection/connect.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { AccountId } from '../../lib/account.ts'
import { conflict } from '../../lib/errors/problem.ts'
import { countSenders } from '../people/members/colleagues.ts'

const members = {
  approval: Type.Boolean({ description: 'what a person would send needs the word of another one' }),
  requireSecondFactor: Type.Boolean({ description: 'people without a second factor may do nothing here' }),
  maskPersonalData: Type.Boolean({ description: 'viewers see addresses and numbers masked' }),
}
export const PeopleSettings = Type.Object(members)
export type PeopleSettings = Static<typeof PeopleSettings>

export const PeopleSettingsBody = Type.Partial(PeopleSettings)
export type PeopleSettingsBody = Static<typeof PeopleSettingsBody>

/** Whoever may send beside the one who asks. */
const LEAST_SENDERS = 2

/** What an account asks of the people who work in it. */
export async function readPeopleSettings(db: Db, account: AccountId): Promise<PeopleSettings> {
  return db
    .selectFrom('accounts')
    .select(['approval', 'require_second_factor as requireSecondFactor', 'mask_personal_data as maskPersonalData'])
    .where('id', '=', account)
    .executeTakeFirstOrThrow()
}

/** Holds the settings of an account until the transaction ends. */
export async function lockPeopleSettings(tx: Db, account: AccountId): Promise<void> {
  await tx.selectFrom('accounts').select('id').where('id', '=', account).forNoKeyUpdate().execute()
}

/**
 * Changes the members given; `by`: the person who does. That approvals are switched off is told to the other admins. Throws
 * conflict `too-few-senders` for approvals that nobody could give.
 */
export async function updatePeopleSettings(
  tx: Db,
  account: AccountId,
  { by, approval, requireSecondFactor, maskPersonalData }: PeopleSettingsBody & { by: string | null },
): Promise<PeopleSettings> {
  const present = await readPeopleSettings(tx, account)
  if (approval && !present.approval && (await countSenders(tx, account)) < LEAST_SENDERS) {
    const detail = `At least ${LEAST_SENDERS} people must hold the right "send": nobody approves what they ask for themselves.`
    throw conflict('too-few-senders', detail)
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
  if (present.approval && approval === false) await enqueue(tx, 'people.approval', { account, by })
  return readPeopleSettings(tx, account)
}
