import { profiledChannelNames } from '../../channels/facts.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ProblemFault } from '../../lib/errors/problem.ts'
import type { AccountSenderProfile, SendingSettingsBody } from './sending-settings-schemas.ts'

/** What is wrong with a list of profiles: a channel without exactly one default, an id that changes its channel. */
function profileFaults(
  profiles: readonly AccountSenderProfile[],
  before: readonly AccountSenderProfile[],
): ProblemFault[] {
  const moved = profiles.flatMap(({ id, channel }, index) => {
    const known = before.find((profile) => profile.id === id)
    return known && known.channel !== channel
      ? [{ pointer: `/profiles/${index}/channel`, detail: `cannot change: it is ${known.channel}` }]
      : []
  })
  const undecided = profiledChannelNames.filter((channel) => {
    const own = profiles.filter((profile) => profile.channel === channel)
    return own.length > 0 && own.filter((profile) => profile.default).length !== 1
  })
  return [
    ...moved,
    ...undecided.map((channel) => ({
      pointer: '/profiles',
      detail: `must have exactly one default for the channel ${channel}`,
    })),
  ]
}

function cultureFaults(culture: string | undefined): ProblemFault[] {
  return culture === undefined || isLanguageTag(culture)
    ? []
    : [{ pointer: '/culture', detail: 'must be a BCP 47 tag such as fr-FR' }]
}

/** Whether a text is a well-formed language tag (BCP 47). */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

async function fieldFaults(db: Db, account: AccountId, body: SendingSettingsBody): Promise<ProblemFault[]> {
  const named = (['optInField', 'doubleOptInField', 'openConsentField'] as const).flatMap((member) => {
    const id = body[member]
    return id == null ? [] : [{ member, id }]
  })
  if (named.length === 0) return []
  const fields = await db
    .selectFrom('fields')
    .select('id')
    .where('account', '=', account)
    .where(
      'id',
      'in',
      named.map(({ id }) => id),
    )
    .execute()
  return named
    .filter(({ id }) => !fields.some((field) => field.id === id))
    .map(({ member, id }) => ({ pointer: `/${member}`, detail: `there is no field ${id}` }))
}

/** What is wrong with a change beyond its shape; `profiles` as they would be kept, `before` as they are. */
export async function findSendingSettingsFaults(
  db: Db,
  account: AccountId,
  body: SendingSettingsBody,
  { profiles, before }: { profiles: readonly AccountSenderProfile[]; before: readonly AccountSenderProfile[] },
): Promise<ProblemFault[]> {
  return [...cultureFaults(body.culture), ...profileFaults(profiles, before), ...(await fieldFaults(db, account, body))]
}
