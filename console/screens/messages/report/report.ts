import { api, data, paged } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import type { Channel, Days } from './routes.ts'

export type Report = Answer<'/actions/{id}/report', 'get'>
export type ReportContact = Answer<'/actions/{id}/report/contacts', 'get'>[number]

/** A page of contacts, and what asks for the next one. */
export interface ContactsPage {
  items: ReportContact[]
  next: string | undefined
}

/** What the page says of a message beside its figures. */
export interface Reported {
  name: string
  type: string
  state: number | null
}

const DAY_MS = 86_400_000

/** The period of a report: the last days, for what is sent on demand. */
function periodOf(days: Days | undefined): { start?: string } {
  return days === undefined ? {} : { start: new Date(Date.now() - days * DAY_MS).toISOString() }
}

/** The report of a message of any channel. */
export function readReport(channel: Channel, id: string, days: Days | undefined, signal: AbortSignal): Promise<Report> {
  const params = { path: { id }, query: periodOf(days) }
  if (channel === 'rcs') return data(api.GET('/channel/rcs/actions/{id}/report', { params, signal }))
  if (channel === 'notification') return data(api.GET('/notifications/{id}/report', { params, signal }))
  return data(api.GET('/actions/{id}/report', { params, signal }))
}

/** A page of the contacts behind a number. */
export function readContacts(
  channel: Channel,
  id: string,
  query: { of: string; after?: string },
  days: Days | undefined,
  signal: AbortSignal,
): Promise<ContactsPage> {
  const params = { path: { id }, query: { ...query, ...periodOf(days) } }
  if (channel === 'rcs') return paged(api.GET('/channel/rcs/actions/{id}/report/contacts', { params, signal }))
  if (channel === 'notification') return paged(api.GET('/notifications/{id}/report/contacts', { params, signal }))
  return paged(api.GET('/actions/{id}/report/contacts', { params, signal }))
}

/** Name, type and state of a message of any channel. */
export async function readReported(channel: Channel, id: string, signal: AbortSignal): Promise<Reported> {
  const params = { path: { id } }
  if (channel === 'rcs') {
    const { name, type, state } = await data(api.GET('/channel/rcs/actions/{id}', { params, signal }))
    return { name, type, state }
  }
  if (channel === 'notification') {
    const { name, type } = await data(api.GET('/notifications/{id}', { params, signal }))
    return { name, type, state: null }
  }
  const { name, type, state } = await data(api.GET('/actions/{id}', { params, signal }))
  return { name, type, state }
}

/** Whether a message goes to one audience; others are sent on demand, and reported by period. */
export const isCampaign = (type: string): boolean => type.endsWith('Campaign')

/** Messages without their final word. */
export const openOf = ({ postponed, deferred, waiting }: Report): number => postponed + deferred + waiting

/** `part` of `whole`; null where there is no whole. */
export const shareOf = (part: number, whole: number | null): number | null =>
  whole === null || whole === 0 ? null : part / whole
