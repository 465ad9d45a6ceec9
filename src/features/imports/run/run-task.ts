import { join } from 'node:path'
import { sql } from 'kysely'
import { channelRedListNames } from '../../../channels/channel-traits.ts'
import type { ServiceContext } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { loadContactDefinitions } from '../../contacts/fields/stored-definitions.ts'
import { findFeatureByType } from '../definitions/features.ts'
import { pickColumnReading } from '../definitions/file-features.ts'
import { UNREAD_FIELD_ID } from '../definitions/import-format-schemas.ts'
import type { ImportExecutionContent } from '../definitions/import-schemas.ts'
import { prepareStatusSources } from '../definitions/statuses.ts'
import { fileGoneProblem } from '../files/file-problems.ts'
import type { ImportReadTask, ImportTextFormat } from '../files/reader.ts'
import { fetchLocalUpload, MAX_UNPACKED_RATIO, uploadDirectoryPath } from '../upload/uploads.ts'
import type { ImportRunEffects } from './commit.ts'

/** An execution as a run reads it. */
export interface ImportRun {
  id: number
  account: number
  import: number
  content: ImportExecutionContent
  /** The position of the first of two passes, and whether it is done; data lines that are committed. */
  surveyed: number
  is_surveyed: boolean
  lines: number
  cancelled: boolean
  dry_run: boolean
  /** Name of the file in its upload directory, and on the wire; null when it is no longer kept. */
  path: string | null
  filename: string | null
  /** True for a file made from maps: its numbers have a decimal point. */
  has_header: boolean | null
}

/** An unfinished execution; `undefined` otherwise. */
export async function findActiveImportRun(db: Db, execution: number): Promise<ImportRun | undefined> {
  const { rows } = await sql<ImportRun>`
    select e.id, e.account, e.import, e.content, e.surveyed, e.is_surveyed, e.lines, e.cancelled, e.dry_run,
      u.path, u.filename, u.has_header
    from import_executions e left join import_uploads u on u.id = e.upload
    where e.id = ${execution} and e.state = 0`.execute(db)
  return rows[0]
}

/** Builds the effects of a run on contacts from the features that it began with. */
export function buildImportRunEffects({
  id,
  account,
  import: origin,
  dry_run,
  content: { features },
}: ImportRun): ImportRunEffects {
  const segmentation = findFeatureByType(features, 'segmentation')
  const databaseFeature = findFeatureByType(features, 'database')
  const { last, ignore } = findFeatureByType(features, 'duplicate')?.rules ?? {}
  const destination = findFeatureByType(features, 'redList')?.destination
  return {
    execution: id,
    dryRun: dry_run,
    account,
    import: origin,
    duplicates: last ? 'last' : ignore ? 'ignore' : 'first',
    updateExisting: databaseFeature?.updateExisting ?? true,
    empties: databaseFeature?.crushData ?? false,
    segment: segmentation && { id: segmentation.segmentId, isEmptied: segmentation.emptyExisitingSegment },
    redLists: channelRedListNames.filter((channel) => destination?.[channel]),
    hasMarks: findFeatureByType(features, 'statuses') !== undefined,
  }
}

function resolveTextFormat({ content: { bindings, features }, has_header }: ImportRun): ImportTextFormat {
  const mapping = findFeatureByType(features, 'columns') ?? null
  const formatBinds = bindings?.binds.map(({ columnIndex, fieldId, ...reading }) => ({
    columnIndex,
    field: fieldId === UNREAD_FIELD_ID ? null : fieldId,
    ...pickColumnReading(reading),
  }))
  return {
    separator: bindings?.separator ? String.fromCharCode(bindings.separator) : undefined,
    encoding: (bindings ?? mapping)?.encoding ?? 'auto',
    dateOrder: bindings?.dateOrder,
    sheet: (bindings ?? mapping)?.sheet,
    decimalMark: has_header ? 'point' : undefined,
    binds: formatBinds ?? null,
    startAt: bindings?.startAt ?? 1,
    mapping,
  }
}

/**
 * Builds the task of reading the file of a run, from the first line on, with the current fields. Throws the Problems `file-gone`,
 * `file-elsewhere` and `status-field-missing`.
 */
export async function buildImportReadTask(
  { db, config }: ServiceContext,
  run: ImportRun,
  effects: ImportRunEffects,
  signal?: AbortSignal,
): Promise<Omit<ImportReadTask, 'batchLines'>> {
  const { account, content, path, filename } = run
  if (path === null || filename === null) throw fileGoneProblem()
  const definitions = await loadContactDefinitions(db, account)
  const directory = { config, account, import: run.import }
  const scratchPath = join(uploadDirectoryPath(directory), `${run.id}.unpacked`)
  const statuses = findFeatureByType(content.features, 'statuses')
  const maxUnpacked = definitions.settings.importMaxBytes * MAX_UNPACKED_RATIO
  return {
    upload: {
      path: await fetchLocalUpload(directory, path, join(scratchPath, 'source'), signal),
      name: filename,
      maxUnpacked,
    },
    scratch: scratchPath,
    format: resolveTextFormat(run),
    definitions,
    normalization: findFeatureByType(content.features, 'normalization')?.fields ?? {},
    statuses: statuses ? prepareStatusSources(statuses, definitions) : [],
    empties: effects.empties,
    keepsFirst: effects.duplicates !== 'last',
    listsDuplicates: effects.duplicates === 'first',
    passed: 0,
  }
}
