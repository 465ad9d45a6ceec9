import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { buildIfMatchHeader } from '../SettingsForm.tsx'

/** Editable sending settings; domains are managed under deliverability. */
export type SendingSettingsForm = Omit<ApiAnswer<'getSendingSettings'>, 'domains'>

/** The id of an entry that is not stored yet. */
export const NEW_SENDING_ENTRY_ID = 0

export async function readSendingForm() {
  const { data: sendingSettings, etag } = await readVersionedAnswer(apiClient.getSendingSettings)
  const { domains: _, ...editableSettings } = sendingSettings
  return { data: editableSettings as SendingSettingsForm, etag }
}

const emptyToNull = (text: string | null): string | null => (text === '' ? null : text)

const toProfile = ({
  from,
  reply,
  bounceDomain,
  trackingHost,
  sender,
  ...profile
}: SendingSettingsForm['profiles'][number]) => ({
  ...profile,
  from: from && { prefix: emptyToNull(from.prefix), domain: from.domain, label: emptyToNull(from.label) },
  reply: emptyToNull(reply),
  bounceDomain: emptyToNull(bounceDomain),
  trackingHost: emptyToNull(trackingHost),
  sender: emptyToNull(sender),
})

/** Entries as they are written: new ones have no id yet. */
const toEntries = <E extends { id: number }>(entries: readonly E[]) =>
  entries.map(({ id, ...entry }) => (id === NEW_SENDING_ENTRY_ID ? entry : { id, ...entry }))

export function writeSendingForm(sending: SendingSettingsForm, etag: string | null) {
  const { profiles, webAnalysers, stopMention, ...otherSettings } = sending
  const listMembers = { profiles: toEntries(profiles.map(toProfile)), webAnalysers: toEntries(webAnalysers) }
  const body = { ...otherSettings, stopMention: emptyToNull(stopMention), ...listMembers }
  return apiClient.updateSendingSettings({ body, headers: buildIfMatchHeader(etag) })
}

const PROFILE_MEMBERS = [
  'name',
  'from/label',
  'from/prefix',
  'from/domain',
  'reply',
  'bounceDomain',
  'sender',
  'trackingHost',
]

/** Pointers of what has a field: as many entries as one document holds. */
export const sendingFormPointers: readonly string[] = [
  '/culture',
  '/defaultFolder',
  '/testSubjectPrefix',
  '/testTextPrefix',
  '/testRequired',
  '/unverifiedDomain',
  '/stopMention',
  '/stopOnStandard',
  '/serviceIgnoresRedList',
  '/inDoubt',
  '/attachmentHosts',
  '/archiveDays',
  '/reportAddresses',
  '/honeypotLink',
  '/optInField',
  '/doubleOptInField',
  '/openConsentField',
  '/yesValues',
  ...Array.from({ length: 200 }, (_, place) => [
    ...PROFILE_MEMBERS.map((member) => `/profiles/${place}/${member}`),
    `/webAnalysers/${place}/name`,
  ]).flat(),
]
