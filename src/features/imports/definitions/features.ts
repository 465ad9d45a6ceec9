import { sql } from 'kysely'
import { addressFieldTypes } from '../../../channels/facts.ts'
import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import {
  appendJsonPointer,
  badRequestProblem,
  conflictProblem,
  invalidRequestProblem,
  Problem,
  type ProblemFault,
} from '../../../lib/errors/problem.ts'
import { parseInt32Id } from '../../../lib/ids.ts'
import { parseCountryCode } from '../../contacts/values/countries.ts'
import type { ImportFeature, ImportFeatureBody } from './feature-schemas.ts'
import { parseColumnsFeature, parseStatusesFeature } from './file-features.ts'

/** The features of an import, and what they refer to. */
export interface ParsedImportFeatures {
  features: ImportFeature[]
  segments: number[]
  fields: number[]
}

/**
 * Reads the features of a request. Throws 400 for a repeated type, rules that contradict each other, an unknown field or
 * one of a type that does not fit, or an unknown country; 404 for an unknown segment; conflict `segment-dynamic`. All
 * but the last with the pointer.
 */
export async function parseImportFeatures(
  db: Db,
  account: AccountId,
  given: readonly ImportFeatureBody[],
): Promise<ParsedImportFeatures> {
  const features = given.map((body, index) => {
    if (given.findIndex(({ type }) => type === body.type) < index) {
      throw badRequestProblem(
        `/features/${index}/type`,
        `"${body.type}" is there twice: an import has each feature once`,
      )
    }
    return readFeature(body, `/features/${index}`)
  })
  const segments = await readSegments(db, account, features)
  const fields = await readFields(db, account, features)
  return { features, segments, fields }
}

/** The feature of a type; undefined when the import lacks it. */
export function findFeatureByType<Type extends ImportFeature['type']>(
  features: readonly ImportFeature[],
  type: Type,
): Extract<ImportFeature, { type: Type }> | undefined {
  return features.find((feature): feature is Extract<ImportFeature, { type: Type }> => feature.type === type)
}

function readFeature(body: ImportFeatureBody, pointer: string): ImportFeature {
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
        throw badRequestProblem(`${pointer}/rules`, 'only one of first, ignore and last can be true')
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
    case 'columns':
      return { type: body.type, ...parseColumnsFeature(body, pointer) }
    case 'statuses':
      return { type: body.type, ...parseStatusesFeature(body, pointer) }
  }
}

function readCountries(fields: Record<string, string[]>, pointer: string): Record<string, string[]> {
  const read = (field: string, texts: string[]) =>
    texts.map((text, index) => {
      const country = parseCountryCode(text)
      if (country === undefined) {
        throw badRequestProblem(
          appendJsonPointer(appendJsonPointer(pointer, field), index),
          `"${text.slice(0, 20)}" is no ISO 3166 country code`,
        )
      }
      return country
    })
  return Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, read(field, texts)]))
}

/** The segments that contacts join. */
async function readSegments(db: Db, account: AccountId, features: readonly ImportFeature[]): Promise<number[]> {
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
      throw conflictProblem('segment-dynamic', `Segment ${id} is dynamic: its members follow from its criteria.`)
    }
  }
  return ids
}

/** A field that a feature names; its type must be one of `types`, if there are any. */
interface NamedField {
  id: number | undefined
  pointer: string
  types?: readonly string[]
}

function namedFields(feature: ImportFeature, pointer: string): NamedField[] {
  switch (feature.type) {
    case 'normalization':
      return Object.keys(feature.fields).map((key) => ({
        id: key.startsWith('0') ? undefined : parseInt32Id(key),
        pointer: appendJsonPointer(`${pointer}/fields`, key),
        types: ['phone'],
      }))
    case 'columns':
      return feature.fields.flatMap(({ field }, index) =>
        field === null ? [] : [{ id: field, pointer: `${pointer}/fields/${index}/field` }],
      )
    case 'statuses': {
      const further = (feature.also ?? []).map(({ field }, index) => ({
        id: field,
        pointer: `${pointer}/also/${index}/field`,
      }))
      return [{ id: feature.field, pointer: `${pointer}/field` }, ...further].flatMap((named) =>
        named.id === undefined ? [] : [{ ...named, types: addressFieldTypes }],
      )
    }
    default:
      return []
  }
}

/** The fields that features name, each once. */
async function readFields(db: Db, account: AccountId, features: readonly ImportFeature[]): Promise<number[]> {
  const named = features.flatMap((feature, index) => namedFields(feature, `/features/${index}`))
  if (named.length === 0) return []
  const ids = [...new Set(named.flatMap(({ id }) => id ?? []))]
  const known = await sql<{ id: number; type: string }>`
    select id, type from fields where account = ${account} and id = any(${ids}::integer[])`.execute(db)
  const faults = named.flatMap(({ id, pointer, types }): ProblemFault[] => {
    const field = known.rows.find((one) => one.id === id)
    if (field && (types?.includes(field.type) ?? true)) return []
    return [
      {
        pointer,
        detail: types ? `must be the id of a field of type ${types.join(' or ')}` : 'must be the id of a field',
      },
    ]
  })
  if (faults.length > 0) throw invalidRequestProblem(faults)
  return ids
}
