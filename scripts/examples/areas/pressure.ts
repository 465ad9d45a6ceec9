import type { Story } from '../story.ts'
import type { ShopContacts } from './contacts.ts'

export async function tellOfPressure({ call, calendar }: Story, { fields, contacts }: ShopContacts): Promise<void> {
  const body = { label: 'Harvests', description: 'News about new teas' }
  const { id: topic } = await call('createPressureTopic', { body })
  await call('listPressureTopics')
  await call('getPressureTopic', { path: { id: topic } })
  await call('updatePressureTopic', { path: { id: topic }, body: { description: 'News about harvests and new teas' } })
  const week = { type: 'rolling', unit: 'DAY', value: 7 }
  const limit = { type: 'limit', count: 3, period: week, channels: ['email', 'sms'], purposes: ['marketing'] }
  const night = { from: '21:00', to: '08:00', daysOfWeek: [1, 2, 3, 4, 5, 6, 7] }
  const rule = {
    label: 'Three a week, and none at night',
    active: true,
    predicate: {
      type: 'and',
      expressions: [
        { ...limit, reserve: 1, reservePriority: 80 },
        { type: 'limit', count: 0, period: week, channels: ['sms'], topics: [topic], window: night },
      ],
    },
  }
  const { id } = await call('createPressureRule', { body: rule })
  await call('listPressureRules')
  await call('getPressureRule', { path: { id } })
  await call('updatePressureRule', { path: { id }, body: { label: 'Three a week' } })
  await call('listPressureTopicLinks', { path: { id: topic } })
  await call('updatePressureSettings', { body: { timeZoneField: fields['TimeZone'] } })
  await call('getPressureSettings')
  await call('updatePressureTopicSettings', { body: 'false', type: 'application/json', shown: false })
  await call('updatePressureTopicSettings', { body: false })
  await call('getPressureTopicSettings')
  const limits = await call('getTargetPressure', { path: { id: contacts['Maya']! } })
  for (const { until } of limits) if (until) calendar.pinTime(new Date(until).toISOString(), '2026-09-14T10:00:00Z')
  const two = { label: 'Two a week', predicate: { type: 'and', expressions: [{ ...limit, count: 2 }] } }
  const start = calendar.timeAhead('2026-09-06T22:00:00Z')
  const end = calendar.timeAhead('2026-09-08T22:00:00Z')
  await call('backtestPressureRule', { body: { rule: two, start, end } })
  await call('listPressureLimitedTargets', { query: { channel: 'email', limit: 2 } })
  const spare = await call('createPressureRule', { body: { ...two, active: false }, shown: false })
  await call('deletePressureRule', { path: { id: spare.id } })
  const other = await call('createPressureTopic', { body: { label: 'Sales' }, shown: false })
  await call('deletePressureTopic', { path: { id: other.id } })
}
