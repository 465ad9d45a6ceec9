import { apiClient, readPagedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import type { MessageChannelName } from '../names.ts'
import type { ReportPeriodDays } from './address.ts'

export type ApiMessageReport = ApiAnswer<'getActionReport'>
export type ApiReportContact = ApiAnswer<'listActionReportContacts'>[number]

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
  if (channel === 'rcs') return apiClient.getRcsActionReport({ ...params, signal })
  if (channel === 'notification') return apiClient.getNotificationReport({ ...params, signal })
  return apiClient.getActionReport({ ...params, signal })
}

/** A page of the contacts behind a number. */
export function readReportContactSlice(
  channel: MessageChannelName,
  id: string,
  { days, ...query }: { of: string; after?: string; days: ReportPeriodDays | undefined },
  signal: AbortSignal,
): Promise<ReportContactSlice> {
  const params = { path: { id }, query: { ...query, ...buildPeriodQuery(days) } }
  if (channel === 'rcs') return readPagedAnswer(apiClient.listRcsActionReportContacts, { ...params, signal })
  if (channel === 'notification')
    return readPagedAnswer(apiClient.listNotificationReportContacts, { ...params, signal })
  return readPagedAnswer(apiClient.listActionReportContacts, { ...params, signal })
}

/** Messages without their final word. */
export const countOpenMessages = ({ postponed, deferred, waiting: waitingCount }: ApiMessageReport): number =>
  postponed + deferred + waitingCount

/** `part` of `whole`; null where there is no whole. */
export const calculateShare = (part: number, whole: number | null): number | null =>
  whole === null || whole === 0 ? null : part / whole
