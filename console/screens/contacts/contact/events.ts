import type { ApiAnswer } from '../../../api/shapes.ts'
import type en from './en.ts'

export type ApiTimelineEntry = ApiAnswer<'listTargetTimeline'>['items'][number]

type TextKey = keyof typeof en

/** Labels of events, by kind. */
export const TIMELINE_KIND_LABELS: Record<ApiTimelineEntry['kind'], TextKey> = {
  executions: 'executions',
  activations: 'activations',
  cancellations: 'cancellations',
  bounces: 'bounces',
  'hits/open': 'opened',
  'hits/redirection': 'clicked',
  'hits/unsubscribe': 'unsubscribed',
  'hits/mirror': 'mirror',
  'hits/form': 'formSent',
  'hits/dismiss': 'dismissed',
  complaints: 'complained',
  'responses/stop': 'stopReply',
  'responses/other': 'otherReply',
  deliveries: 'deliveries',
  'interactions/read': 'wasRead',
  'interactions/text': 'wroteText',
  'interactions/file': 'sentFile',
  'interactions/location': 'sentPlace',
  'interactions/suggestion': 'chose',
  'interactions/redirection': 'clicked',
  'interactions/subscribe': 'subscribed',
  'interactions/unsubscribe': 'unsubscribed',
  impressions: 'impressions',
  optouts: 'optouts',
}

/** Returns a member of the record of an event at any depth; `undefined` if it does not exist. */
function readDetailText(detail: ApiTimelineEntry['detail'], ...path: string[]): string | undefined {
  let value: unknown = detail
  for (const name of path)
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Path of the most informative member of the record, by type of event. */
const DETAIL_PATHS: Partial<Record<ApiTimelineEntry['type'], readonly (readonly string[])[]>> = {
  activation: [['activation', 'recipient']],
  bounce: [['bounce', 'status', 'diagnostic']],
  hit: [
    ['link', 'url'],
    ['link', 'name'],
    ['hit', 'device', 'client'],
  ],
  complaint: [['complaint', 'provider']],
  reply: [['reply', 'text']],
  interaction: [
    ['interaction', 'text'],
    ['interaction', 'suggestion', 'text'],
    ['interaction', 'link', 'url'],
    ['interaction', 'file', 'name'],
  ],
  optout: [['optout', 'value']],
}

const MAX_DETAIL_LENGTH = 300

/** Additional information on an event: the type of a cancellation, or the most informative member of its record. */
export function formatTimelineDetail({ type, detail }: ApiTimelineEntry): { reason?: string; text?: string } {
  if (type === 'cancellation') {
    const reason = readDetailText(detail, 'cancellation', 'type')
    return reason === undefined ? {} : { reason }
  }
  for (const path of DETAIL_PATHS[type] ?? []) {
    const text = readDetailText(detail, ...path)
    if (text !== undefined) return { text: text.slice(0, MAX_DETAIL_LENGTH) }
  }
  return {}
}
