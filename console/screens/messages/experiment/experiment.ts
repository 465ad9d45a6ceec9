import { apiClient } from '../../../api/client.ts'
import type { MessageChannelName } from '../names.ts'
import type { ApiMessageReport } from '../report/report.ts'

export type ApiReportExperiment = NonNullable<ApiMessageReport['experiment']>

/** Sends a version to the rest. */
export const decideReportExperiment = (
  channel: MessageChannelName,
  id: string,
  version: string,
): Promise<ApiReportExperiment> => {
  const request = { path: { id }, body: { version } }
  return channel === 'rcs' ? apiClient.decideRcsActionExperiment(request) : apiClient.decideActionExperiment(request)
}

/** True if a user may decide: contacts are still waiting, and no decision has been made. */
export const isExperimentUndecided = ({ state, waiting: waitingCount }: ApiReportExperiment): boolean =>
  waitingCount > 0 && (state === 'sending' || state === 'measuring' || state === 'asking')

/** A version as people see its id. */
export const formatVersionName = (id: string): string => (id.length === 1 ? id.toUpperCase() : id)
