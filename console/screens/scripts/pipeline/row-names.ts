import type { CompilablePipeline, PipelineStepForm } from '../compilable-kind.ts'

/** Account data that determines the names in rows. */
export interface RowNameContext {
  /** Names of the fields of contacts. */
  fields: readonly string[]
  pipelineOf(id: unknown): CompilablePipeline | undefined
}

/** Compilables that use each other end here. */
const MAX_DEPTH = 5
const DOT_NAME = /^[A-Za-z_$][\w$]*$/

const buildSuffix = (name: string): string => (DOT_NAME.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)
const listSuffixes = (members: unknown): string[] => Object.keys((members ?? {}) as object).map(buildSuffix)

const listContactNames = ({ fields }: RowNameContext): string[] => [
  '.id',
  '.unicity',
  '.hash',
  '.creationDate',
  '.lastUpdateDate',
  ...fields.map((name) => `.fields${buildSuffix(name)}`),
]

const EVENT_NAMES = ['.id', '.type', '.timestamp', '.contact', '.source', '.kind', '.stamp', '.data']

function listInlineNames({ rows }: PipelineStepForm): string[] {
  if (!Array.isArray(rows)) return []
  const isRowObject = (row: unknown): boolean => row !== null && typeof row === 'object'
  return [...new Set(rows.flatMap((row) => (isRowObject(row) ? listSuffixes(row) : ['.value'])))]
}

/** Returns the names in the rows of a source, as they follow `row`: `.fields.Age`. */
export function listSourceRowNames(source: PipelineStepForm, context: RowNameContext, depth = 0): string[] {
  if (source.type === 'targets' || source.type === 'segment') return listContactNames(context)
  if (source.type === 'events') return EVENT_NAMES
  if (source.type === 'valueList') return ['.index', '.value']
  if (source.type === 'inline') return listInlineNames(source)
  const usedPipeline = depth < MAX_DEPTH ? context.pipelineOf(source['id']) : undefined
  return usedPipeline ? listStepRowNames(usedPipeline, usedPipeline.cursors.length, context, depth + 1) : []
}

function listNamesAfter(
  names: readonly string[],
  step: PipelineStepForm,
  context: RowNameContext,
  depth: number,
): readonly string[] {
  const targetSuffix = buildSuffix(String(step['into'] ?? ''))
  if (step.type === 'map') return [...(step['keep'] === true ? names : []), ...listSuffixes(step['fields'])]
  if (step.type === 'group') return [...listSuffixes(step['by']), ...listSuffixes(step['aggregates'])]
  if (step.type === 'expand') return [...names, targetSuffix]
  if (step.type !== 'join') return names
  const joinedNames =
    step['many'] === true ? [] : listSourceRowNames(step['source'] as PipelineStepForm, context, depth)
  return [...names, targetSuffix, ...joinedNames.map((name) => `${targetSuffix}${name}`)]
}

/** Returns the names in the input rows of a step, as far as they can be determined without a run. */
export function listStepRowNames(
  { source, cursors }: CompilablePipeline,
  place: number,
  context: RowNameContext,
  depth = 0,
): string[] {
  const names = cursors
    .slice(0, place)
    .reduce<readonly string[]>(
      (before, step) => listNamesAfter(before, step, context, depth),
      listSourceRowNames(source, context, depth),
    )
  return [...new Set(names)]
}
