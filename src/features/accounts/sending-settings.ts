import { isIP } from 'node:net'
import { sql } from 'kysely'
import { channelTraits, profiledChannelNames } from '../../channels/channel-traits.ts'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, invalidRequestProblem } from '../../lib/errors/problem.ts'
import { listAccountDomains } from './domains.ts'
import { findSendingSettingsFaults } from './sending-settings-faults.ts'
import type { AccountSenderProfile, AccountSendingSettings, SendingSettingsBody } from './sending-settings-schemas.ts'

/** Stored settings of an account: the changed ones, and the last id of a profile or an analyser, so that no id is reused. */
type StoredSettings = Partial<Omit<AccountSendingSettings, 'domains'>> & { lastId?: number }

type ProfileChannel = AccountSenderProfile['channel']

/** Default retention of archives, in days. */
export const DEFAULT_ARCHIVE_DAYS = 1095

const defaultSettings: Omit<AccountSendingSettings, 'profiles' | 'domains'> = {
  culture: 'fr-FR',
  defaultFolder: 1,
  testSubjectPrefix: '[TEST] ',
  testTextPrefix: '',
  testRequired: true,
  unverifiedDomain: 'substitute',
  stopMention: null,
  stopOnStandard: false,
  optInField: null,
  doubleOptInField: null,
  yesValues: ['yes', 'oui', 'true', '1'],
  serviceIgnoresRedList: false,
  inDoubt: 'hold',
  attachmentHosts: [],
  reportAddresses: [],
  archiveDays: DEFAULT_ARCHIVE_DAYS,
  webAnalysers: [],
  honeypotLink: false,
  openConsentField: null,
}

/** Local part of the sender address for profiles that set none. */
const DEFAULT_LOCAL_PART = 'news'

/** The domain of mail without a configured one: the host of the public address when it is a name, else an invalid domain. */
function extractHostDomain(publicUrl: string): string {
  const host = URL.parse(publicUrl)?.hostname ?? ''
  return host.includes('.') && isIP(host) === 0 ? host : 'localhost.localdomain'
}

/** The default profile of a channel; undefined if it has none. */
export function findDefaultProfile(
  { profiles }: AccountSendingSettings,
  channel: ProfileChannel,
): AccountSenderProfile | undefined {
  return profiles.find((profile) => profile.channel === channel && profile.default)
}

/** The profile a channel has before one is created. */
function buildDefaultProfile(channel: ProfileChannel): AccountSenderProfile {
  const { id, name, hasFrom } = channelTraits[channel].profile
  const commonMembers = {
    id,
    channel,
    default: true,
    reply: null,
    bounceDomain: null,
    trackingHost: null,
    sender: null,
  }
  return { ...commonMembers, name, from: hasFrom ? { prefix: DEFAULT_LOCAL_PART, domain: null, label: null } : null }
}

function applyDefaults(
  storedSettings: StoredSettings,
  domains: AccountSendingSettings['domains'],
): AccountSendingSettings {
  const { lastId: _, profiles = [], ...settings } = storedSettings
  const missingProfiles = profiledChannelNames
    .filter((channel) => profiles.every((profile) => profile.channel !== channel))
    .map(buildDefaultProfile)
  return { ...defaultSettings, ...settings, profiles: [...missingProfiles, ...profiles], domains }
}

/** The settings of an account with its defaults; a profile's domain is null where it is the default one. */
export async function readSendingSettings(db: Db, account: AccountId): Promise<AccountSendingSettings> {
  const domains = await listAccountDomains(db, account)
  return applyDefaults(await loadStoredSettings(db, account), domains)
}

/** The domain mail is sent from where none is named: the default one, else what the public address gives. */
export function resolveDefaultDomain({ domains }: Pick<AccountSendingSettings, 'domains'>, publicUrl: string): string {
  return domains.find((domain) => domain.default)?.domain ?? extractHostDomain(publicUrl)
}

/** The settings as they are shown: with the default domain where a profile of email names none. */
export function toShownSendingSettings(settings: AccountSendingSettings, publicUrl: string): AccountSendingSettings {
  const domain = resolveDefaultDomain(settings, publicUrl)
  const profiles = settings.profiles.map((profile) =>
    profile.from === null
      ? profile
      : {
          ...profile,
          from: { ...profile.from, domain: profile.from.domain ?? domain },
          bounceDomain: profile.bounceDomain ?? domain,
        },
  )
  return { ...settings, profiles }
}

async function loadStoredSettings(db: Db, account: AccountId, lock = sql``): Promise<StoredSettings> {
  const { rows } = await sql<{ sending: StoredSettings | null }>`
    select settings->'sending' as sending from accounts where id = ${account} ${lock}`.execute(db)
  return rows[0]?.sending ?? {}
}

/** Locks the settings until the transaction ends. */
export async function lockSendingSettings(db: Db, account: AccountId): Promise<void> {
  await loadStoredSettings(db, account, sql`for update`)
}

/** Gives ids to the entries that have none. Throws 400 for an id that no stored entry has. */
function assignIds<T extends { id?: number }>(
  inputEntries: readonly T[],
  storedEntries: readonly { id: number }[],
  options: { pointer: string; next: () => number },
) {
  const storedIds = new Set(storedEntries.map(({ id }) => id))
  return inputEntries.map((entry, index) => {
    if (entry.id !== undefined && !storedIds.delete(entry.id)) {
      throw badRequestProblem(
        `${options.pointer}/${index}/id`,
        'must be the id of an existing entry, used once; leave it out to create an entry',
      )
    }
    return { ...entry, id: entry.id ?? options.next() }
  })
}

type ProfileInput = NonNullable<SendingSettingsBody['profiles']>[number] & { id: number }

/** A profile as it is stored. A domain that was only the default for a missing one is not stored. */
function toStoredProfile(profileInput: ProfileInput, host: string): AccountSenderProfile {
  const {
    default: isDefault = false,
    reply = null,
    trackingHost = null,
    sender = null,
    bounceDomain = null,
    from,
    ...otherMembers
  } = profileInput
  const normalizeDomain = (domain: string | null | undefined): string | null =>
    domain == null || domain.toLowerCase() === host ? null : domain.toLowerCase()
  return {
    ...otherMembers,
    default: isDefault,
    reply,
    trackingHost,
    sender,
    bounceDomain: normalizeDomain(bounceDomain),
    from: channelTraits[profileInput.channel].profile.hasFrom
      ? {
          prefix: from?.prefix ?? DEFAULT_LOCAL_PART,
          domain: normalizeDomain(from?.domain),
          label: from?.label ?? null,
        }
      : null,
  }
}

/** Changes the members given; lists are replaced. Throws 400 with a pointer for each fault, and then changes nothing. */
export function updateSendingSettings(
  db: Db,
  account: AccountId,
  body: SendingSettingsBody,
  publicUrl: string,
): Promise<AccountSendingSettings> {
  return inTransaction(db, async (tx) => {
    const storedSettings = await loadStoredSettings(tx, account, sql`for update`)
    const previousSettings = applyDefaults(storedSettings, [])
    let lastId =
      storedSettings.lastId ?? Math.max(...profiledChannelNames.map((name) => channelTraits[name].profile.id))
    const nextId = () => ++lastId
    const { domains: _, profiles: givenProfiles, webAnalysers: givenAnalysers, ...members } = body
    const updatedProfiles =
      givenProfiles &&
      assignIds(givenProfiles, previousSettings.profiles, { pointer: '/profiles', next: nextId }).map((input) =>
        toStoredProfile(input, extractHostDomain(publicUrl)),
      )
    const webAnalysers =
      givenAnalysers &&
      assignIds(givenAnalysers, previousSettings.webAnalysers, { pointer: '/webAnalysers', next: nextId })
    const settingsFaults = await findSendingSettingsFaults(tx, account, body, {
      profiles: updatedProfiles ?? [],
      before: previousSettings.profiles,
    })
    if (settingsFaults.length > 0) throw invalidRequestProblem(settingsFaults)
    const changedSettings = {
      ...storedSettings,
      ...pickSettings(members),
      ...(updatedProfiles && { profiles: updatedProfiles }),
      ...(webAnalysers && { webAnalysers }),
      lastId,
    }
    await tx
      .updateTable('accounts')
      .set({ settings: sql<string>`settings || jsonb_build_object('sending', ${toJsonbText(changedSettings)}::jsonb)` })
      .where('id', '=', account)
      .execute()
    return toShownSendingSettings(await readSendingSettings(tx, account), publicUrl)
  })
}

/** The members that are settings: others are ignored. */
function pickSettings(members: object): object {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => Object.hasOwn(defaultSettings, name) && value !== undefined),
  )
}
