import type en from './en.ts'
import type { ApiTimelineEntry } from './TimelineEntryLine.tsx'

type Key = keyof typeof en

/** What happened, by kind. */
export const TIMELINE_KIND_LABELS: Record<ApiTimelineEntry['kind'], Key> = {
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

/** A member of the record of an event, however deep; undefined where there is none. */
function textAt(detail: ApiTimelineEntry['detail'], ...path: string[]): string | undefined {
  let value: unknown = detail
  for (const name of path)
    value = value !== null && typeof value === 'object' ? (value as Record<string, unknown>)[name] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** Where in the record stands what says most, by the type of the event. */
const PLACES: Partial<Record<ApiTimelineEntry['type'], readonly (readonly string[])[]>> = {
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

const LONGEST = 300

/** What else is known of an event: the type of a cancellation, or what its record says most by. */
export function formatTimelineDetail({ type, detail }: ApiTimelineEntry): { reason?: string; text?: string } {
  if (type === 'cancellation') {
    const reason = textAt(detail, 'cancellation', 'type')
    return reason === undefined ? {} : { reason }
  }
  for (const path of PLACES[type] ?? []) {
    const text = textAt(detail, ...path)
    if (text !== undefined) return { text: text.slice(0, LONGEST) }
  }
  return {}
}
