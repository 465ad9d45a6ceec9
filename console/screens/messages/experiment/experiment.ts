import { api, data } from '../../../api/client.ts'
import type { ChannelName } from '../names.ts'
import type { Report } from '../report/report.ts'

export type Experiment = NonNullable<Report['experiment']>

/** Sends a version to the rest. */
export const decide = (channel: ChannelName, id: string, version: string): Promise<Experiment> => {
  const request = { params: { path: { id } }, body: { version } }
  return channel === 'rcs'
    ? data(api.POST('/channel/rcs/actions/{id}/experiment/decision', request))
    : data(api.POST('/actions/{id}/experiment/decision', request))
}

/** Whether a person may decide: the rest waits, and nobody has. */
export const isOpen = ({ state, waiting }: Experiment): boolean =>
  waiting > 0 && (state === 'sending' || state === 'measuring' || state === 'asking')

/** A version as people see its id. */
export const nameOf = (id: string): string => (id.length === 1 ? id.toUpperCase() : id)
