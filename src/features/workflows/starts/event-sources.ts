import type { RunEventRecord } from '../stepping/step.ts'

type Json = Readonly<Record<string, unknown>>
const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as Json)[name] : undefined

/** What a record says of each member that filters may have. A list means: any of them. */
const readers: Readonly<Record<string, (record: Json, detail: Json, about: Json) => unknown>> = {
  ids: (_, __, about) => about['id'],
  versions: (_, __, about) => about['version'],
  causes: (_, detail) => member(detail['cancellation'], 'type'),
  verdicts: (_, detail) => member(member(detail['bounce'], 'analysis'), 'verdict'),
  kinds: (_, detail) =>
    member(detail['link'], 'type') ?? member(detail['reply'], 'type') ?? member(detail['interaction'], 'type'),
  links: (_, detail) => [member(detail['link'], 'name'), String(member(detail['link'], 'id') ?? '')],
  postbacks: (_, detail) => member(member(detail['interaction'], 'suggestion'), 'postback'),
  campaigns: (_, __, about) => about['campaign'],
  placements: (_, __, about) => about['placement'],
  contents: (_, __, about) => about['content'],
  names: (record) => record['name'],
  fields: (record) => member(record['data'], 'fields') ?? member(record['data'], 'field'),
  channels: (record) => member(record['data'], 'channel'),
  segments: (record) => member(record['data'], 'segment'),
  applications: (record) => member(record['data'], 'application'),
  imports: (record) => member(record['data'], 'import'),
}

/**
 * Whether records have what the members of a filter ask for; an absent or empty member matches all. What the filter asks for is
 * looked up once: a record may meet hundreds of filters.
 */
export function compileMemberFilter(filter: Json): (record: RunEventRecord) => boolean {
  const asked = Object.entries(readers).flatMap(([name, read]) => {
    const wanted = filter[name]
    return Array.isArray(wanted) && wanted.length > 0 ? [{ read, wanted: new Set(wanted.map(String)) }] : []
  })
  if (asked.length === 0) return () => true
  return (record) => {
    const detail = (member(record['source'], 'detail') ?? {}) as Json
    const about = (detail['activation'] ?? detail['execution'] ?? {}) as Json
    return asked.every(({ read, wanted }) => {
      const found = read(record, detail, about)
      return Array.isArray(found) ? found.some((one) => wanted.has(String(one))) : wanted.has(String(found))
    })
  }
}
