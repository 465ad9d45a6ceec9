import { sql } from 'kysely'
import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { readIntId } from '../../lib/ids.ts'
import { badRequest, conflict, type Fault, invalid, Problem } from '../../lib/problem.ts'
import { readCountry } from '../contacts/countries.ts'
import type { Feature, FeatureBody } from './feature-schemas.ts'

/** The features of an import, and what they refer to. */
export interface ReadFeatures {
  features: Feature[]
  segments: number[]
  fields: number[]
}

/**
 * Reads the features of a request. Throws 400 for a repeated type, rules that contradict each other, a field
 * that takes no telephone numbers or an unknown country; 404 for an unknown segment; conflict `segment-dynamic`. All
 * but the last with the pointer.
 */
export async function readFeatures(db: Db, account: AccountId, given: readonly FeatureBody[]): Promise<ReadFeatures> {
  const features = given.map((body, index) => {
    if (given.findIndex(({ type }) => type === body.type) < index) {
      throw badRequest(`/features/${index}/type`, `"${body.type}" is there twice: an import has each feature once`)
    }
    return readFeature(body, `/features/${index}`)
  })
  const segments = await readSegments(db, account, features)
  const fields = await readPhoneFields(db, account, features)
  return { features, segments, fields }
}

/** The feature of a type; undefined when the import lacks it. */
export function featureOf<Type extends Feature['type']>(
  features: readonly Feature[],
  type: Type,
): Extract<Feature, { type: Type }> | undefined {
  return features.find((feature): feature is Extract<Feature, { type: Type }> => feature.type === type)
}

function readFeature(body: FeatureBody, pointer: string): Feature {
  switch (body.type) {
    case 'segmentation': {
      const { type, segmentId, emptyExisitingSegment, emptyExistingSegment } = body
      return { type, segmentId, emptyExisitingSegment: emptyExisitingSegment ?? emptyExistingSegment ?? false }
    }
    case 'redList': {
      const { mail, sms, email } = body.destination
      return { type: body.type, destination: { mail: mail ?? email ?? false, sms: sms ?? false } }
    }
    case 'duplicate': {
      const { first, ignore, last } = body.rules ?? {}
      if (Number(first ?? false) + Number(ignore ?? false) + Number(last ?? false) > 1) {
        throw badRequest(`${pointer}/rules`, 'only one of first, ignore and last can be true')
      }
      return { type: body.type, rules: last ? { last } : ignore ? { ignore } : { first: true } }
    }
    case 'report': {
      const { type, sendFinalReport = false, sendErrorReport = false, contactGuids = [], groupIds = [] } = body
      return { type, sendFinalReport, sendErrorReport, contactGuids, groupIds }
    }
    case 'database':
      return { type: body.type, updateExisting: body.updateExisting ?? true, crushData: body.crushData ?? false }
    case 'normalization':
      return { type: body.type, fields: readCountries(body.fields ?? {}, `${pointer}/fields`) }
  }
}

/** A key as a part of a pointer (RFC 6901, 3). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1')
}

function readCountries(fields: Record<string, string[]>, pointer: string): Record<string, string[]> {
  const read = (field: string, texts: string[]) =>
    texts.map((text, index) => {
      const country = readCountry(text)
      if (country === undefined) {
        throw badRequest(`${pointer}/${escaped(field)}/${index}`, `"${text.slice(0, 20)}" is no ISO 3166 country code`)
      }
      return country
    })
  return Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, read(field, texts)]))
}

/** The segments that contacts join. */
async function readSegments(db: Db, account: AccountId, features: readonly Feature[]): Promise<number[]> {
  const named = features.flatMap((feature, index) =>
    feature.type === 'segmentation' ? [{ id: feature.segmentId, pointer: `/features/${index}/segmentId` }] : [],
  )
  const ids = named.map(({ id }) => id)
  if (ids.length === 0) return ids
  const known = await db
    .selectFrom('segments')
    .select(['id', 'type'])
    .where('account', '=', account)
    .where('id', 'in', ids)
    .execute()
  for (const { id, pointer } of named) {
    const segment = known.find((candidate) => candidate.id === id)
    if (!segment) {
      const errors = [{ pointer, detail: 'must be the id of a static segment' }]
      throw new Problem(404, 'not-found', `There is no segment ${id}.`, { errors })
    }
    if (segment.type === 'dynamic') {
      throw conflict('segment-dynamic', `Segment ${id} is dynamic: its members follow from its criteria.`)
    }
  }
  return ids
}

/** The fields whose numbers are read with countries of their own. */
async function readPhoneFields(db: Db, account: AccountId, features: readonly Feature[]): Promise<number[]> {
  const named = features.flatMap((feature, index) =>
    feature.type === 'normalization'
      ? Object.keys(feature.fields).map((key) => ({
          id: key.startsWith('0') ? undefined : readIntId(key),
          pointer: `/features/${index}/fields/${escaped(key)}`,
        }))
      : [],
  )
  const ids = named.flatMap(({ id }) => id ?? [])
  if (named.length === 0) return ids
  const known = await sql<{ id: number }>`
    select id from fields where account = ${account} and type = 'phone' and id = any(${ids}::integer[])`.execute(db)
  const faults = named
    .filter(({ id }) => !known.rows.some((field) => field.id === id))
    .map(({ pointer }): Fault => ({ pointer, detail: 'must be the id of a phone field' }))
  if (faults.length > 0) throw invalid(faults)
  return ids
}
