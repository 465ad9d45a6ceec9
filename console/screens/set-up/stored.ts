import { useQuery } from '@tanstack/react-query'
import { accountId, apiClient, readVersionedAnswer } from '../../api/client.ts'
import type { ApiAnswer } from '../../api/shapes.ts'
import { domainsQuery } from '../deliverability/domain-records.ts'

export type SetUpSendingSettings = ApiAnswer<'getSendingSettings'>

/** Name and locale of an account: three documents of the API, edited as one. */
export interface AccountLocaleSettings {
  name: string
  timeZone: string
  culture: string
  /** ISO 3166 alpha-3. */
  country: string
}

/** Locale of a new account until it is set up. */
const NEW_ACCOUNT_LOCALE = { timeZone: 'UTC', culture: 'fr-FR', country: 'FRA' }

/** True if time zone, language and country are still those of a new account. */
export const isNewAccountLocale = ({ timeZone, culture, country }: AccountLocaleSettings): boolean =>
  timeZone === NEW_ACCOUNT_LOCALE.timeZone &&
  culture === NEW_ACCOUNT_LOCALE.culture &&
  country === NEW_ACCOUNT_LOCALE.country

const buildIfMatch = (etag: string | null): Record<string, string> => (etag === null ? {} : { 'if-match': etag })

export const readSetUpSending = () => readVersionedAnswer(apiClient.getSendingSettings)

export async function readAccountLocale(): Promise<{ data: AccountLocaleSettings; etag: string | null }> {
  const [currentUser, contacts, sending] = await Promise.all([
    apiClient.getMe(),
    readVersionedAnswer(apiClient.getContactSettings),
    readSetUpSending(),
  ])
  return {
    data: {
      name: currentUser.account?.name ?? '',
      timeZone: contacts.data.timeZone,
      culture: sending.data.culture,
      country: contacts.data.defaultCountry,
    },
    // Of both documents that have one.
    etag: JSON.stringify([contacts.etag, sending.etag]),
  }
}

/** Writes what differs from what was read. */
export async function writeAccountLocale(
  before: AccountLocaleSettings,
  after: AccountLocaleSettings,
  etag: string | null,
) {
  const [contacts = null, sending = null] = JSON.parse(etag ?? '[]') as (string | null)[]
  const { name, timeZone, culture, country } = after
  if (timeZone !== before.timeZone || country !== before.country)
    await apiClient.updateContactSettings({
      body: { timeZone, defaultCountry: country },
      headers: buildIfMatch(contacts),
    })
  if (culture !== before.culture)
    await apiClient.updateSendingSettings({ body: { culture }, headers: buildIfMatch(sending) })
  if (name !== before.name) await apiClient.updateAccount({ path: { code: accountId ?? '' }, body: { name } })
  return readAccountLocale()
}

/** The sender of mail, as the default profile of the account has it. */
export interface MailSenderProfile {
  label: string
  prefix: string
  domain: string | null
  reply: string
}

const isDefaultMailProfile = ({ channel, default: isDefault }: SetUpSendingSettings['profiles'][number]): boolean =>
  channel === 'email' && isDefault

export async function readSender(): Promise<{ data: MailSenderProfile; etag: string | null }> {
  const { data: sending, etag } = await readSetUpSending()
  const profile = sending.profiles.find(isDefaultMailProfile)
  const { label, prefix, domain } = profile?.from ?? {}
  return {
    data: { label: label ?? '', prefix: prefix ?? '', domain: domain ?? null, reply: profile?.reply ?? '' },
    etag,
  }
}

/** Writes the default profile of mail; `name`: of one that has to be made. */
export async function writeMailSender(
  { label, prefix, domain, reply }: MailSenderProfile,
  etag: string | null,
  name: string,
) {
  const { data: sending } = await readSetUpSending()
  const from = { label: label || null, prefix: prefix || null, domain }
  const defaultProfile = sending.profiles.find(isDefaultMailProfile)
  const profiles = defaultProfile
    ? sending.profiles.map((profile) =>
        profile === defaultProfile ? { ...profile, from, reply: reply || null } : profile,
      )
    : [...sending.profiles, { name, channel: 'email' as const, default: true, from, reply: reply || null }]
  await apiClient.updateSendingSettings({ body: { profiles }, headers: buildIfMatch(etag) })
  return readSender()
}

export const useSendingDomains = () => useQuery(domainsQuery)
