import type { RunEventRecord } from '../nodes/node-contract.ts'

type JsonRecord = Readonly<Record<string, unknown>>
const readMember = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? (value as JsonRecord)[name] : undefined

/** Reads the value of each filterable member from a record. A list matches if any of its values does. */
const memberReaders: Readonly<
  Record<string, (record: JsonRecord, sourceDetail: JsonRecord, subjectDetail: JsonRecord) => unknown>
> = {
  ids: (_, __, subjectDetail) => subjectDetail['id'],
  versions: (_, __, subjectDetail) => subjectDetail['version'],
  causes: (_, sourceDetail) => readMember(sourceDetail['cancellation'], 'type'),
  verdicts: (_, sourceDetail) => readMember(readMember(sourceDetail['bounce'], 'analysis'), 'verdict'),
  kinds: (_, sourceDetail) =>
    readMember(sourceDetail['link'], 'type') ??
    readMember(sourceDetail['reply'], 'type') ??
    readMember(sourceDetail['interaction'], 'type'),
  links: (_, sourceDetail) => [
    readMember(sourceDetail['link'], 'name'),
    String(readMember(sourceDetail['link'], 'id') ?? ''),
  ],
  postbacks: (_, sourceDetail) => readMember(readMember(sourceDetail['interaction'], 'suggestion'), 'postback'),
  campaigns: (_, __, subjectDetail) => subjectDetail['campaign'],
  placements: (_, __, subjectDetail) => subjectDetail['placement'],
  contents: (_, __, subjectDetail) => subjectDetail['content'],
  names: (record) => record['name'],
  fields: (record) => readMember(record['data'], 'fields') ?? readMember(record['data'], 'field'),
  channels: (record) => readMember(record['data'], 'channels'),
  segments: (record) => readMember(record['data'], 'segment'),
  applications: (record) => readMember(record['data'], 'application'),
  imports: (record) => readMember(record['data'], 'import'),
}

/**
 * Compiles the members of a filter to a predicate on records. An absent or empty member matches all. The values of the filter are prepared
 * once, because a record may be matched against hundreds of filters.
 */
export function compileMemberFilter(filter: JsonRecord): (record: RunEventRecord) => boolean {
  const memberTests = Object.entries(memberReaders).flatMap(([name, readRecordMember]) => {
    const acceptedValues = filter[name]
    return Array.isArray(acceptedValues) && acceptedValues.length > 0
      ? [{ read: readRecordMember, wanted: new Set(acceptedValues.map(String)) }]
      : []
  })
  if (memberTests.length === 0) return () => true
  return (record) => {
    const sourceDetail = (readMember(record['source'], 'detail') ?? {}) as JsonRecord
    const subjectDetail = (sourceDetail['activation'] ?? sourceDetail['execution'] ?? {}) as JsonRecord
    return memberTests.every(({ read: readRecordMember, wanted: acceptedValues }) => {
      const recordValue = readRecordMember(record, sourceDetail, subjectDetail)
      return Array.isArray(recordValue)
        ? recordValue.some((memberValue) => acceptedValues.has(String(memberValue)))
        : acceptedValues.has(String(recordValue))
    })
  }
}
