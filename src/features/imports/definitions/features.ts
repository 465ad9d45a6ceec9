import { sql } from 'kysely'
import { addressFieldTypes } from '../../../channels/channel-traits.ts'
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
  featureBodies: readonly ImportFeatureBody[],
): Promise<ParsedImportFeatures> {
  const parsedFeatures = featureBodies.map((body, index) => {
    if (featureBodies.findIndex(({ type }) => type === body.type) < index) {
      throw badRequestProblem(`/features/${index}/type`, `"${body.type}" is listed twice: each feature is allowed once`)
    }
    return parseFeature(body, `/features/${index}`)
  })
  const segmentIds = await requireStaticSegments(db, account, parsedFeatures)
  const fieldIds = await requireReferencedFields(db, account, parsedFeatures)
  return { features: parsedFeatures, segments: segmentIds, fields: fieldIds }
}

/** The feature of a type; undefined when the import lacks it. */
export function findFeatureByType<Type extends ImportFeature['type']>(
  features: readonly ImportFeature[],
  type: Type,
): Extract<ImportFeature, { type: Type }> | undefined {
  return features.find((feature): feature is Extract<ImportFeature, { type: Type }> => feature.type === type)
}

function parseFeature(body: ImportFeatureBody, pointer: string): ImportFeature {
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
      const { first: keepsFirst, ignore: ignoresDuplicates, last: keepsLast } = body.rules ?? {}
      if (Number(keepsFirst ?? false) + Number(ignoresDuplicates ?? false) + Number(keepsLast ?? false) > 1) {
        throw badRequestProblem(`${pointer}/rules`, 'only one of first, ignore and last can be true')
      }
      return {
        type: body.type,
        rules: keepsLast ? { last: keepsLast } : ignoresDuplicates ? { ignore: ignoresDuplicates } : { first: true },
      }
    }
    case 'report': {
      const { type, sendFinalReport = false, sendErrorReport = false, contactGuids = [], groupIds = [] } = body
      return { type, sendFinalReport, sendErrorReport, contactGuids, groupIds }
    }
    case 'database':
      return { type: body.type, updateExisting: body.updateExisting ?? true, crushData: body.crushData ?? false }
    case 'normalization':
      return { type: body.type, fields: parseFieldCountries(body.fields ?? {}, `${pointer}/fields`) }
    case 'columns':
      return { type: body.type, ...parseColumnsFeature(body, pointer) }
    case 'statuses':
      return { type: body.type, ...parseStatusesFeature(body, pointer) }
  }
}

function parseFieldCountries(fields: Record<string, string[]>, pointer: string): Record<string, string[]> {
  const parseCountries = (field: string, texts: string[]) =>
    texts.map((text, index) => {
      const country = parseCountryCode(text)
      if (country === undefined) {
        throw badRequestProblem(
          appendJsonPointer(appendJsonPointer(pointer, field), index),
          `"${text.slice(0, 20)}" is not an ISO 3166 country code`,
        )
      }
      return country
    })
  return Object.fromEntries(Object.entries(fields).map(([field, texts]) => [field, parseCountries(field, texts)]))
}

/** The segments that contacts join. */
async function requireStaticSegments(
  db: Db,
  account: AccountId,
  features: readonly ImportFeature[],
): Promise<number[]> {
  const segmentReferences = features.flatMap((feature, index) =>
    feature.type === 'segmentation' ? [{ id: feature.segmentId, pointer: `/features/${index}/segmentId` }] : [],
  )
  const segmentIds = segmentReferences.map(({ id }) => id)
  if (segmentIds.length === 0) return segmentIds
  const storedSegments = await db
    .selectFrom('segments')
    .select(['id', 'type'])
    .where('account', '=', account)
    .where('id', 'in', segmentIds)
    .execute()
  for (const { id, pointer } of segmentReferences) {
    const segment = storedSegments.find((candidate) => candidate.id === id)
    if (!segment) {
      const errors = [{ pointer, detail: 'must be the id of a static segment' }]
      throw new Problem(404, 'not-found', `There is no segment ${id}.`, { errors })
    }
    if (segment.type === 'dynamic') {
      throw conflictProblem('segment-dynamic', `Segment ${id} is dynamic: its members follow from its criteria.`)
    }
  }
  return segmentIds
}

/** A field that a feature names; its type must be one of `types`, if there are any. */
interface FieldReference {
  id: number | undefined
  pointer: string
  types?: readonly string[]
}

function listFieldReferences(feature: ImportFeature, pointer: string): FieldReference[] {
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
      const additionalFields = (feature.also ?? []).map(({ field }, index) => ({
        id: field,
        pointer: `${pointer}/also/${index}/field`,
      }))
      return [{ id: feature.field, pointer: `${pointer}/field` }, ...additionalFields].flatMap((fieldReference) =>
        fieldReference.id === undefined ? [] : [{ ...fieldReference, types: addressFieldTypes }],
      )
    }
    default:
      return []
  }
}

/** The fields that features name, each once. */
async function requireReferencedFields(
  db: Db,
  account: AccountId,
  features: readonly ImportFeature[],
): Promise<number[]> {
  const fieldReferences = features.flatMap((feature, index) => listFieldReferences(feature, `/features/${index}`))
  if (fieldReferences.length === 0) return []
  const ids = [...new Set(fieldReferences.flatMap(({ id }) => id ?? []))]
  const storedFields = await sql<{ id: number; type: string }>`
    select id, type from fields where account = ${account} and id = any(${ids}::integer[])`.execute(db)
  const faults = fieldReferences.flatMap(({ id, pointer, types }): ProblemFault[] => {
    const field = storedFields.rows.find((storedField) => storedField.id === id)
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
