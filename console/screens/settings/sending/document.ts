import { apiClient, readAnswer, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { buildIfMatchHeader } from '../SettingsForm.tsx'

/** What is edited here; domains are written at deliverability. */
export type SendingSettingsForm = Omit<ApiAnswer<'/settings/sending', 'get'>, 'domains'>

/** The id of an entry that is not stored yet. */
export const NEW_SENDING_ENTRY_ID = 0

export async function readSendingForm() {
  const { data: all, etag } = await readVersionedAnswer(apiClient.GET('/settings/sending'))
  const { domains: _, ...own } = all
  return { data: own as SendingSettingsForm, etag }
}

const orNull = (text: string | null): string | null => (text === '' ? null : text)

const profileOf = ({
  from,
  reply,
  bounceDomain,
  trackingHost,
  sender,
  ...profile
}: SendingSettingsForm['profiles'][number]) => ({
  ...profile,
  from: from && { prefix: orNull(from.prefix), domain: from.domain, label: orNull(from.label) },
  ...{ reply: orNull(reply), bounceDomain: orNull(bounceDomain), trackingHost: orNull(trackingHost) },
  sender: orNull(sender),
})

/** Entries as they are written: new ones have no id yet. */
const entriesOf = <E extends { id: number }>(entries: readonly E[]) =>
  entries.map(({ id, ...entry }) => (id === NEW_SENDING_ENTRY_ID ? entry : { id, ...entry }))

export function writeSendingForm(sending: SendingSettingsForm, etag: string | null) {
  const { profiles, webAnalysers, stopMention, ...rest } = sending
  const lists = { profiles: entriesOf(profiles.map(profileOf)), webAnalysers: entriesOf(webAnalysers) }
  const body = { ...rest, stopMention: orNull(stopMention), ...lists }
  return readAnswer(apiClient.PUT('/settings/sending', { body, headers: buildIfMatchHeader(etag) }))
}

const members = ['name', 'from/label', 'from/prefix', 'from/domain', 'reply', 'bounceDomain', 'sender', 'trackingHost']

/** Pointers of what has a field: as many entries as one document holds. */
export const sendingFormPointers: readonly string[] = [
  ...['/culture', '/defaultFolder', '/testSubjectPrefix', '/testTextPrefix', '/testRequired', '/unverifiedDomain'],
  ...['/stopMention', '/stopOnStandard', '/serviceIgnoresRedList', '/inDoubt', '/attachmentHosts', '/archiveDays'],
  ...['/reportAddresses', '/honeypotLink', '/optInField', '/doubleOptInField', '/openConsentField', '/yesValues'],
  ...Array.from({ length: 200 }, (_, place) => [
    ...members.map((member) => `/profiles/${place}/${member}`),
    `/webAnalysers/${place}/name`,
  ]).flat(),
]
