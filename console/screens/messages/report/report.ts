import { apiClient, readAnswer, readPagedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import type { MessageChannelName } from '../names.ts'
import type { ReportPeriodDays } from './address.ts'

export type ApiMessageReport = ApiAnswer<'/actions/{id}/report', 'get'>
export type ApiReportContact = ApiAnswer<'/actions/{id}/report/contacts', 'get'>[number]

/** A page of contacts, and what asks for the next one. */
export interface ReportContactSlice {
  items: ApiReportContact[]
  next: string | undefined
}

const DAY_MS = 86_400_000

/** The period of a report: the last days, for what is sent on demand. */
function buildPeriodQuery(days: ReportPeriodDays | undefined): { start?: string } {
  return days === undefined ? {} : { start: new Date(Date.now() - days * DAY_MS).toISOString() }
}

/** The report of a message of any channel. */
export function readApiReport(
  channel: MessageChannelName,
  id: string,
  days: ReportPeriodDays | undefined,
  signal: AbortSignal,
): Promise<ApiMessageReport> {
  const params = { path: { id }, query: buildPeriodQuery(days) }
  if (channel === 'rcs') return readAnswer(apiClient.GET('/channel/rcs/actions/{id}/report', { params, signal }))
  if (channel === 'notification') return readAnswer(apiClient.GET('/notifications/{id}/report', { params, signal }))
  return readAnswer(apiClient.GET('/actions/{id}/report', { params, signal }))
}

/** A page of the contacts behind a number. */
export function readReportContactSlice(
  channel: MessageChannelName,
  id: string,
  { days, ...query }: { of: string; after?: string; days: ReportPeriodDays | undefined },
  signal: AbortSignal,
): Promise<ReportContactSlice> {
  const params = { path: { id }, query: { ...query, ...buildPeriodQuery(days) } }
  if (channel === 'rcs')
    return readPagedAnswer(apiClient.GET('/channel/rcs/actions/{id}/report/contacts', { params, signal }))
  if (channel === 'notification')
    return readPagedAnswer(apiClient.GET('/notifications/{id}/report/contacts', { params, signal }))
  return readPagedAnswer(apiClient.GET('/actions/{id}/report/contacts', { params, signal }))
}

/** Messages without their final word. */
export const countOpenMessages = ({ postponed, deferred, waiting: waitingCount }: ApiMessageReport): number =>
  postponed + deferred + waitingCount

/** `part` of `whole`; null where there is no whole. */
export const calculateShare = (part: number, whole: number | null): number | null =>
  whole === null || whole === 0 ? null : part / whole
