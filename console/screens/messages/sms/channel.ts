import { api, data } from '../../../api/client.ts'
import { defineChannel } from '../write/channel.ts'
import { SmsContent } from './SmsContent.tsx'
import { SmsPreview } from './SmsPreview.tsx'
import { SmsTest } from './SmsTest.tsx'
import { type SmsAction, smsKind } from './sms-kind.ts'

const at = (id: string) => ({ params: { path: { id } } })

export const sms = defineChannel<SmsAction>({
  ...{ name: 'sms', asked: 'action', kind: smsKind },
  create: async (name, isCampaign) =>
    (await data(api.POST('/actions', { body: { type: isCampaign ? 'smsCampaign' : 'smsMessage', name } }))).id,
  ...{ Content: SmsContent, Preview: SmsPreview, Test: SmsTest },
  pointers: [
    ...['/content/textContent', '/settings/sender', '/settings/purpose/type', '/settings/smsFormat'],
    '/settings/smsType',
  ],
  ...{ segmentsAt: '/scheduler/segments', schedulerAt: '/scheduler' },
  schedules: ['asap', 'scheduled', 'timeZoneSchedule'],
  isCampaign: ({ type }) => type === 'smsCampaign',
  standing: ({ state, informations: { paused } }) => ({ state, paused, active: null }),
  belongsTo: ({ type }) => (type.startsWith('sms') ? 'sms' : 'email'),
  audience: (id, segments) => data(api.POST('/actions/{id}/audience', { ...at(id), body: { segments } })),
  commands: {
    validate: (id) => data(api.POST('/actions/{id}/validation', { ...at(id), body: { fortest: false } })),
    revoke: (id) => data(api.DELETE('/actions/{id}/validation', at(id))),
    pause: (id) => data(api.POST('/actions/{id}/pause', at(id))),
    resume: (id) => data(api.DELETE('/actions/{id}/pause', at(id))),
  },
})
