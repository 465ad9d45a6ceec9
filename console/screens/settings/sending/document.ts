import { api, data, versioned } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { ifMatch } from '../DocumentForm.tsx'

/** What is edited here; domains are written at deliverability. */
export type Sending = Omit<Answer<'/settings/sending', 'get'>, 'domains'>

/** The id of an entry that is not stored yet. */
export const NEW = 0

export async function readSending() {
  const { data: all, etag } = await versioned(api.GET('/settings/sending'))
  const { domains: _, ...own } = all
  return { data: own as Sending, etag }
}

const orNull = (text: string | null): string | null => (text === '' ? null : text)

const profileOf = ({ from, reply, bounceDomain, trackingHost, sender, ...profile }: Sending['profiles'][number]) => ({
  ...profile,
  from: from && { prefix: orNull(from.prefix), domain: from.domain, label: orNull(from.label) },
  ...{ reply: orNull(reply), bounceDomain: orNull(bounceDomain), trackingHost: orNull(trackingHost) },
  sender: orNull(sender),
})

/** Entries as they are written: new ones have no id yet. */
const entriesOf = <E extends { id: number }>(entries: readonly E[]) =>
  entries.map(({ id, ...entry }) => (id === NEW ? entry : { id, ...entry }))

export function writeSending(sending: Sending, etag: string | null) {
  const { profiles, webAnalysers, stopMention, ...rest } = sending
  const lists = { profiles: entriesOf(profiles.map(profileOf)), webAnalysers: entriesOf(webAnalysers) }
  const body = { ...rest, stopMention: orNull(stopMention), ...lists }
  return data(api.PUT('/settings/sending', { body, headers: ifMatch(etag) }))
}

const members = ['name', 'from/label', 'from/prefix', 'from/domain', 'reply', 'bounceDomain', 'sender', 'trackingHost']

/** Pointers of what has a field: as many entries as one document holds. */
export const pointers: readonly string[] = [
  ...['/culture', '/defaultFolder', '/testSubjectPrefix', '/testTextPrefix', '/testRequired', '/unverifiedDomain'],
  ...['/stopMention', '/stopOnStandard', '/serviceIgnoresRedList', '/inDoubt', '/attachmentHosts', '/archiveDays'],
  ...['/reportAddresses', '/honeypotLink', '/optInField', '/doubleOptInField', '/openConsentField', '/yesValues'],
  ...Array.from({ length: 200 }, (_, place) => [
    ...members.map((member) => `/profiles/${place}/${member}`),
    `/webAnalysers/${place}/name`,
  ]).flat(),
]
