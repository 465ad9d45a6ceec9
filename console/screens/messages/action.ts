import { api, data, versioned } from '../../api/client.ts'
import type { Answer, Body } from '../../api/shapes.ts'
import type { Stored } from '../../components/form/use-form.ts'
import type { ChannelName } from './names.ts'
import type { Begun, Commands, DocumentKind, Segments, Standing } from './write/channel.ts'

type Test = Body<'/actions/{id}/validation', 'post'>

/** An email or SMS action as the interface answers it. */
export type Action = Answer<'/actions/{id}', 'get'>

const byId = (id: string) => ({ path: { id } })

const stored = (call: Promise<Stored<unknown>>) => call as Promise<Stored<Action>>

/** Emails and SMS are actions: read and sent back whole, so that what this screen does not know stays. */
export const actionKind: DocumentKind<Action> = {
  name: 'action',
  read: (id, init) => stored(versioned(api.GET('/actions/{id}', { params: byId(id), ...init }))),
  replace: (id, action, headers) =>
    stored(
      versioned(api.PUT('/actions/{id}', { params: byId(id), headers, body: action as Body<'/actions/{id}', 'put'> })),
    ),
  remove: (id) => data(api.DELETE('/actions/{id}', { params: byId(id) })),
}

/** Makes an action that has a name, and what it begins with. */
export const createAction = async (type: Action['type'], name: string, begun?: Begun): Promise<string> =>
  (await data(api.POST('/actions', { body: { type, name, ...(begun && { content: begun }) } }))).id

/** Proofs of an action. */
export const testAction = (id: string, test: Omit<Test, 'fortest'>): Promise<unknown> =>
  data(api.POST('/actions/{id}/validation', { params: byId(id), body: { fortest: true, ...test } }))

export const actionCommands: Commands = {
  validate: (id) => data(api.POST('/actions/{id}/validation', { params: byId(id), body: { fortest: false } })),
  revoke: (id) => data(api.DELETE('/actions/{id}/validation', { params: byId(id) })),
  pause: (id) => data(api.POST('/actions/{id}/pause', { params: byId(id) })),
  resume: (id) => data(api.DELETE('/actions/{id}/pause', { params: byId(id) })),
}

/** What the frame needs of every action, whichever its channel. */
export const actionParts = {
  asked: 'action' as const,
  kind: actionKind,
  commands: actionCommands,
  segmentsAt: '/scheduler/segments',
  schedulerAt: '/scheduler',
  schedules: ['asap', 'scheduled', 'timeZoneSchedule', 'bestTime'] as const,
  isCampaign: ({ type }: Action): boolean => type.endsWith('Campaign'),
  standing: ({ state, informations: { paused } }: Action): Standing => ({ state, paused, active: null }),
  belongsTo: ({ type }: Action): ChannelName => (type.startsWith('sms') ? 'sms' : 'email'),
  audience: (id: string, segments: Segments) =>
    data(api.POST('/actions/{id}/audience', { params: byId(id), body: { segments } })),
}
