import { api, data, paged } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import type { ChannelName } from '../names.ts'
import type { Days } from './routes.ts'

export type Report = Answer<'/actions/{id}/report', 'get'>
export type ReportContact = Answer<'/actions/{id}/report/contacts', 'get'>[number]

/** A page of contacts, and what asks for the next one. */
export interface ContactsPage {
  items: ReportContact[]
  next: string | undefined
}

const DAY_MS = 86_400_000

/** The period of a report: the last days, for what is sent on demand. */
function periodOf(days: Days | undefined): { start?: string } {
  return days === undefined ? {} : { start: new Date(Date.now() - days * DAY_MS).toISOString() }
}

/** The report of a message of any channel. */
export function readReport(
  channel: ChannelName,
  id: string,
  days: Days | undefined,
  signal: AbortSignal,
): Promise<Report> {
  const params = { path: { id }, query: periodOf(days) }
  if (channel === 'rcs') return data(api.GET('/channel/rcs/actions/{id}/report', { params, signal }))
  if (channel === 'notification') return data(api.GET('/notifications/{id}/report', { params, signal }))
  return data(api.GET('/actions/{id}/report', { params, signal }))
}

/** A page of the contacts behind a number. */
export function readContacts(
  channel: ChannelName,
  id: string,
  { days, ...query }: { of: string; after?: string; days: Days | undefined },
  signal: AbortSignal,
): Promise<ContactsPage> {
  const params = { path: { id }, query: { ...query, ...periodOf(days) } }
  if (channel === 'rcs') return paged(api.GET('/channel/rcs/actions/{id}/report/contacts', { params, signal }))
  if (channel === 'notification') return paged(api.GET('/notifications/{id}/report/contacts', { params, signal }))
  return paged(api.GET('/actions/{id}/report/contacts', { params, signal }))
}

/** Messages without their final word. */
export const openOf = ({ postponed, deferred, waiting }: Report): number => postponed + deferred + waiting

/** `part` of `whole`; null where there is no whole. */
export const shareOf = (part: number, whole: number | null): number | null =>
  whole === null || whole === 0 ? null : part / whole
