import { profiledChannelNames } from '../../channels/channel-traits.ts'
import type { Db } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import type { ProblemFault } from '../../lib/errors/problem.ts'
import type { AccountSenderProfile, SendingSettingsBody } from './sending-settings-schemas.ts'

/** Finds the errors of a list of profiles: a channel without exactly one default, an id that changes its channel. */
function findProfileFaults(
  profiles: readonly AccountSenderProfile[],
  before: readonly AccountSenderProfile[],
): ProblemFault[] {
  const movedProfiles = profiles.flatMap(({ id, channel }, index) => {
    const storedProfile = before.find((profile) => profile.id === id)
    return storedProfile && storedProfile.channel !== channel
      ? [{ pointer: `/profiles/${index}/channel`, detail: `cannot change: it is ${storedProfile.channel}` }]
      : []
  })
  const undecided = profiledChannelNames.filter((channel) => {
    const channelProfiles = profiles.filter((profile) => profile.channel === channel)
    return channelProfiles.length > 0 && channelProfiles.filter((profile) => profile.default).length !== 1
  })
  return [
    ...movedProfiles,
    ...undecided.map((channel) => ({
      pointer: '/profiles',
      detail: `must have exactly one default for the channel ${channel}`,
    })),
  ]
}

function findCultureFaults(culture: string | undefined): ProblemFault[] {
  return culture === undefined || isLanguageTag(culture)
    ? []
    : [{ pointer: '/culture', detail: 'must be a BCP 47 tag such as fr-FR' }]
}

/** True if a text is a well-formed language tag (BCP 47). */
export function isLanguageTag(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1
  } catch {
    return false
  }
}

async function findFieldFaults(db: Db, account: AccountId, body: SendingSettingsBody): Promise<ProblemFault[]> {
  const namedFields = (['optInField', 'doubleOptInField', 'openConsentField'] as const).flatMap((member) => {
    const id = body[member]
    return id == null ? [] : [{ member, id }]
  })
  if (namedFields.length === 0) return []
  const existingFields = await db
    .selectFrom('fields')
    .select('id')
    .where('account', '=', account)
    .where(
      'id',
      'in',
      namedFields.map(({ id }) => id),
    )
    .execute()
  return namedFields
    .filter(({ id }) => !existingFields.some((field) => field.id === id))
    .map(({ member, id }) => ({ pointer: `/${member}`, detail: `there is no field ${id}` }))
}

/** Finds the errors of a change that its schema cannot express. `profiles`: as they would be stored; `before`: as they are. */
export async function findSendingSettingsFaults(
  db: Db,
  account: AccountId,
  body: SendingSettingsBody,
  { profiles, before }: { profiles: readonly AccountSenderProfile[]; before: readonly AccountSenderProfile[] },
): Promise<ProblemFault[]> {
  return [
    ...findCultureFaults(body.culture),
    ...findProfileFaults(profiles, before),
    ...(await findFieldFaults(db, account, body)),
  ]
}
