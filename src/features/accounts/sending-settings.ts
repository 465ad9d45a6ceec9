import { isIP } from 'node:net'
import { sql } from 'kysely'
import { channelTraits, profiledChannelNames } from '../../channels/facts.ts'
import { type Db, inTransaction, toJsonbText } from '../../database/connection/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequestProblem, invalidRequestProblem } from '../../lib/errors/problem.ts'
import { listAccountDomains } from './domains.ts'
import { findSendingSettingsFaults } from './sending-settings-faults.ts'
import type { AccountSenderProfile, AccountSendingSettings, SendingSettingsBody } from './sending-settings-schemas.ts'

/** What is stored of an account: changed settings, and the last id of a profile or an analyser, so that none is reused. */
type Stored = Partial<Omit<AccountSendingSettings, 'domains'>> & { lastId?: number }

type Channel = AccountSenderProfile['channel']

/** How long archives are kept where the account does not say. */
export const DEFAULT_ARCHIVE_DAYS = 1095

const defaults: Omit<AccountSendingSettings, 'profiles' | 'domains'> = {
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

/** What stands before the @ where a profile does not say. */
const DEFAULT_PREFIX = 'news'

/** The domain of mail without a configured one: the host of the public address when it is a name, else an invalid domain. */
function hostDomain(publicUrl: string): string {
  const host = URL.parse(publicUrl)?.hostname ?? ''
  return host.includes('.') && isIP(host) === 0 ? host : 'localhost.localdomain'
}

/** The profile a channel has before one is created. */
function defaultProfile(channel: Channel): AccountSenderProfile {
  const { id, name, hasFrom } = channelTraits[channel].profile
  const common = {
    id,
    channel,
    default: true,
    reply: null,
    bounceDomain: null,
    trackingHost: null,
    sender: null,
  }
  return { ...common, name, from: hasFrom ? { prefix: DEFAULT_PREFIX, domain: null, label: null } : null }
}

function withDefaults(stored: Stored, domains: AccountSendingSettings['domains']): AccountSendingSettings {
  const { lastId: _, profiles = [], ...settings } = stored
  const made = profiledChannelNames
    .filter((channel) => profiles.every((profile) => profile.channel !== channel))
    .map(defaultProfile)
  return { ...defaults, ...settings, profiles: [...made, ...profiles], domains }
}

/** The settings of an account with its defaults; a profile's domain is null where it is the default one. */
export async function readSendingSettings(db: Db, account: AccountId): Promise<AccountSendingSettings> {
  const domains = await listAccountDomains(db, account)
  return withDefaults(await loadStored(db, account), domains)
}

/** The domain mail is sent from where none is named: the default one, else what the public address gives. */
export function resolveDefaultDomain({ domains }: Pick<AccountSendingSettings, 'domains'>, publicUrl: string): string {
  return domains.find((domain) => domain.default)?.domain ?? hostDomain(publicUrl)
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

async function loadStored(db: Db, account: AccountId, lock = sql``): Promise<Stored> {
  const { rows } = await sql<{ sending: Stored | null }>`
    select settings->'sending' as sending from accounts where id = ${account} ${lock}`.execute(db)
  return rows[0]?.sending ?? {}
}

/** Locks the settings until the transaction ends. */
export async function lockSendingSettings(db: Db, account: AccountId): Promise<void> {
  await loadStored(db, account, sql`for update`)
}

/** Gives ids to the entries that have none. Throws 400 for an id that no stored entry has. */
function numbered<T extends { id?: number }>(
  given: readonly T[],
  stored: readonly { id: number }[],
  options: { pointer: string; next: () => number },
) {
  const known = new Set(stored.map(({ id }) => id))
  return given.map((entry, index) => {
    if (entry.id !== undefined && !known.delete(entry.id)) {
      throw badRequestProblem(
        `${options.pointer}/${index}/id`,
        'must be the id of an entry, once; leave it out to make a new one',
      )
    }
    return { ...entry, id: entry.id ?? options.next() }
  })
}

type GivenProfile = NonNullable<SendingSettingsBody['profiles']>[number] & { id: number }

/** A profile as it is stored. A domain that was only the default for a missing one is not stored. */
function storedProfile(given: GivenProfile, host: string): AccountSenderProfile {
  const {
    default: isDefault = false,
    reply = null,
    trackingHost = null,
    sender = null,
    bounceDomain = null,
    from,
    ...rest
  } = given
  const chosen = (domain: string | null | undefined): string | null =>
    domain == null || domain.toLowerCase() === host ? null : domain.toLowerCase()
  return {
    ...rest,
    ...{ default: isDefault, reply, trackingHost, sender },
    bounceDomain: chosen(bounceDomain),
    from: channelTraits[given.channel].profile.hasFrom
      ? { prefix: from?.prefix ?? DEFAULT_PREFIX, domain: chosen(from?.domain), label: from?.label ?? null }
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
    const stored = await loadStored(tx, account, sql`for update`)
    const before = withDefaults(stored, [])
    let lastId = stored.lastId ?? Math.max(...profiledChannelNames.map((name) => channelTraits[name].profile.id))
    const next = () => ++lastId
    const { domains: _, profiles: givenProfiles, webAnalysers: givenAnalysers, ...members } = body
    const profiles =
      givenProfiles &&
      numbered(givenProfiles, before.profiles, { pointer: '/profiles', next }).map((given) =>
        storedProfile(given, hostDomain(publicUrl)),
      )
    const webAnalysers =
      givenAnalysers && numbered(givenAnalysers, before.webAnalysers, { pointer: '/webAnalysers', next })
    const faults = await findSendingSettingsFaults(tx, account, body, {
      profiles: profiles ?? [],
      before: before.profiles,
    })
    if (faults.length > 0) throw invalidRequestProblem(faults)
    const changed = {
      ...stored,
      ...known(members),
      ...(profiles && { profiles }),
      ...(webAnalysers && { webAnalysers }),
      lastId,
    }
    await tx
      .updateTable('accounts')
      .set({ settings: sql<string>`settings || jsonb_build_object('sending', ${toJsonbText(changed)}::jsonb)` })
      .where('id', '=', account)
      .execute()
    return toShownSendingSettings(await readSendingSettings(tx, account), publicUrl)
  })
}

/** The members that are settings: others are ignored. */
function known(members: object): object {
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => Object.hasOwn(defaults, name) && value !== undefined),
  )
}
