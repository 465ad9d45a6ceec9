import { join } from 'node:path'
import { sql } from 'kysely'
import { redListNames } from '../../../channels/facts.ts'
import type { Context } from '../../../context.ts'
import type { Db } from '../../../database/connection/connect.ts'
import { loadFields } from '../../contacts/fields/stored-definitions.ts'
import { featureOf } from '../definitions/features.ts'
import { columnReadingOf } from '../definitions/file-features.ts'
import { NOT_READ } from '../definitions/import-format-schemas.ts'
import type { ExecutionContent } from '../definitions/import-schemas.ts'
import { statusSources } from '../definitions/statuses.ts'
import { fileGone } from '../files/file-problems.ts'
import type { ReadTask, TextFormat } from '../files/reader.ts'
import { localUpload, UNPACKED_RATIO, uploadPath } from '../upload/uploads.ts'
import type { Effects } from './commit.ts'

/** An execution as a run reads it. */
export interface Run {
  id: number
  account: number
  import: number
  content: ExecutionContent
  /** Where the first of two passes stands, and whether it is done; data lines that are committed. */
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

/** An execution that has not ended; undefined otherwise. */
export async function openRun(db: Db, execution: number): Promise<Run | undefined> {
  const { rows } = await sql<Run>`
    select e.id, e.account, e.import, e.content, e.surveyed, e.is_surveyed, e.lines, e.cancelled, e.dry_run,
      u.path, u.filename, u.has_header
    from import_executions e left join import_uploads u on u.id = e.upload
    where e.id = ${execution} and e.state = 0`.execute(db)
  return rows[0]
}

/** What a run does with contacts, by the features it began with. */
export function effectsOf({ id, account, import: origin, dry_run, content: { features } }: Run): Effects {
  const segmentation = featureOf(features, 'segmentation')
  const database = featureOf(features, 'database')
  const { last, ignore } = featureOf(features, 'duplicate')?.rules ?? {}
  const destination = featureOf(features, 'redList')?.destination
  return {
    execution: id,
    dryRun: dry_run,
    account,
    import: origin,
    duplicates: last ? 'last' : ignore ? 'ignore' : 'first',
    updateExisting: database?.updateExisting ?? true,
    empties: database?.crushData ?? false,
    segment: segmentation && { id: segmentation.segmentId, isEmptied: segmentation.emptyExisitingSegment },
    redLists: redListNames.filter((channel) => destination?.[channel]),
    hasMarks: featureOf(features, 'statuses') !== undefined,
  }
}

function formatOf({ content: { bindings, features }, has_header }: Run): TextFormat {
  const mapping = featureOf(features, 'columns') ?? null
  const binds = bindings?.binds.map(({ columnIndex, fieldId, ...reading }) => ({
    columnIndex,
    field: fieldId === NOT_READ ? null : fieldId,
    ...columnReadingOf(reading),
  }))
  return {
    separator: bindings?.separator ? String.fromCharCode(bindings.separator) : undefined,
    encoding: (bindings ?? mapping)?.encoding ?? 'auto',
    dateOrder: bindings?.dateOrder,
    sheet: (bindings ?? mapping)?.sheet,
    decimalMark: has_header ? 'point' : undefined,
    binds: binds ?? null,
    startAt: bindings?.startAt ?? 1,
    mapping,
  }
}

/**
 * What is read for a run, from the first line on, with the fields as they are now. Throws the Problems `file-gone`,
 * `file-elsewhere` and `status-field-missing`.
 */
export async function readTaskOf(
  { db, config }: Context,
  run: Run,
  effects: Effects,
  signal?: AbortSignal,
): Promise<Omit<ReadTask, 'batchLines'>> {
  const { account, content, path, filename } = run
  if (path === null || filename === null) throw fileGone()
  const definitions = await loadFields(db, account)
  const directory = { config, account, import: run.import }
  const scratch = join(uploadPath(directory), `${run.id}.unpacked`)
  const statuses = featureOf(content.features, 'statuses')
  const maxUnpacked = definitions.settings.importMaxBytes * UNPACKED_RATIO
  return {
    upload: { path: await localUpload(directory, path, join(scratch, 'source'), signal), name: filename, maxUnpacked },
    scratch,
    format: formatOf(run),
    definitions,
    normalization: featureOf(content.features, 'normalization')?.fields ?? {},
    statuses: statuses ? statusSources(statuses, definitions) : [],
    empties: effects.empties,
    keepsFirst: effects.duplicates !== 'last',
    listsDuplicates: effects.duplicates === 'first',
    passed: 0,
  }
}
