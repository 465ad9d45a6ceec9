import type { Db } from '../../database/connect.ts'
import type { AccountId } from '../../lib/account.ts'
import { badRequest, conflict, notFound } from '../../lib/problem.ts'
import { readCountry } from '../contacts/countries.ts'
import type { Feature, FeatureBody } from './feature-schemas.ts'

/** The features of an import, and what they hold on to. */
export interface ReadFeatures {
  features: Feature[]
  segments: number[]
  fields: number[]
}

/**
 * Reads the features of a request. Throws 400 for a type that comes twice, rules that contradict each other, a field
 * that takes no telephone numbers or an unknown country; 404 for an unknown segment; conflict `segment-dynamic`.
 */
export async function readFeatures(db: Db, account: AccountId, given: readonly FeatureBody[]): Promise<ReadFeatures> {
  const features = given.map((body, index) => {
    if (given.findIndex(({ type }) => type === body.type) < index) {
      throw badRequest(`/features/${index}/type`, `"${body.type}" is there twice: an import has each feature once`)
    }
    return readFeature(body, `/features/${index}`)
  })
  const segments = features.flatMap((feature) => (feature.type === 'segmentation' ? [feature.segmentId] : []))
  const fields = features.flatMap((feature) =>
    feature.type === 'normalization' ? Object.keys(feature.fields).map(Number) : [],
  )
  await checkSegments(db, account, segments)
  await checkPhoneFields(db, account, fields)
  return { features, segments, fields }
}

/** The feature of a type; undefined when the import has it not. */
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

function readCountries(fields: Record<string, string[]>, pointer: string): Record<string, string[]> {
  const read = (field: string, texts: string[]) =>
    texts.map((text, index) => {
      const country = readCountry(text)
      if (country === undefined) {
        throw badRequest(`${pointer}/${field}/${index}`, `"${text.slice(0, 20)}" is no ISO 3166 country code`)
      }
      return country
    })
  return Object.fromEntries(Object.entries(fields).map(([field, texts]) => [Number(field), read(field, texts)]))
}

async function checkSegments(db: Db, account: AccountId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const known = await db
    .selectFrom('segments')
    .select(['id', 'type'])
    .where('account', '=', account)
    .where('id', 'in', ids)
    .execute()
  for (const id of ids) {
    const segment = known.find((candidate) => candidate.id === id)
    if (!segment) throw notFound('segment', id)
    if (segment.type === 'dynamic') {
      throw conflict('segment-dynamic', `Segment ${id} is dynamic: its members follow from its criteria.`)
    }
  }
}

async function checkPhoneFields(db: Db, account: AccountId, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const known = await db
    .selectFrom('fields')
    .select('id')
    .where('account', '=', account)
    .where('type', '=', 'phone')
    .where('id', 'in', ids)
    .execute()
  const stranger = ids.find((id) => !known.some((field) => field.id === id))
  if (stranger !== undefined) throw badRequest('/features', `normalization: ${stranger} is no phone field`)
}
