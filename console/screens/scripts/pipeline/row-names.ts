import type { CompilablePipeline, PipelineStepForm } from '../compilable-kind.ts'

/** What is known of an account for the names of rows. */
export interface RowNameContext {
  /** Names of the fields of contacts. */
  fields: readonly string[]
  pipelineOf(id: unknown): CompilablePipeline | undefined
}

/** Compilables that use each other end here. */
const MOST_DEPTH = 5
const IS_WORD = /^[A-Za-z_$][\w$]*$/

const suffix = (name: string): string => (IS_WORD.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`)
const suffixesOf = (members: unknown): string[] => Object.keys((members ?? {}) as object).map(suffix)

const contactNames = ({ fields }: RowNameContext): string[] => [
  ...['.id', '.unicity', '.hash', '.creationDate', '.lastUpdateDate'],
  ...fields.map((name) => `.fields${suffix(name)}`),
]

const EVENT = ['.id', '.type', '.timestamp', '.contact', '.source', '.kind', '.stamp', '.data']

function namesOfInline({ rows }: PipelineStepForm): string[] {
  if (!Array.isArray(rows)) return []
  const isRow = (row: unknown): boolean => row !== null && typeof row === 'object'
  return [...new Set(rows.flatMap((row) => (isRow(row) ? suffixesOf(row) : ['.value'])))]
}

/** What stands in the rows of a source, as it follows `row`: `.fields.Age`. */
export function listSourceRowNames(source: PipelineStepForm, known: RowNameContext, depth = 0): string[] {
  if (source.type === 'targets' || source.type === 'segment') return contactNames(known)
  if (source.type === 'events') return EVENT
  if (source.type === 'valueList') return ['.index', '.value']
  if (source.type === 'inline') return namesOfInline(source)
  const used = depth < MOST_DEPTH ? known.pipelineOf(source['id']) : undefined
  return used ? listStepRowNames(used, used.cursors.length, known, depth + 1) : []
}

function namesAfter(
  names: readonly string[],
  step: PipelineStepForm,
  known: RowNameContext,
  depth: number,
): readonly string[] {
  const into = suffix(String(step['into'] ?? ''))
  if (step.type === 'map') return [...(step['keep'] === true ? names : []), ...suffixesOf(step['fields'])]
  if (step.type === 'group') return [...suffixesOf(step['by']), ...suffixesOf(step['aggregates'])]
  if (step.type === 'expand') return [...names, into]
  if (step.type !== 'join') return names
  const other = step['many'] === true ? [] : listSourceRowNames(step['source'] as PipelineStepForm, known, depth)
  return [...names, into, ...other.map((name) => `${into}${name}`)]
}

/** What stands in the rows that a step is given, as far as it can be told without running anything. */
export function listStepRowNames(
  { source, cursors }: CompilablePipeline,
  place: number,
  known: RowNameContext,
  depth = 0,
): string[] {
  const names = cursors
    .slice(0, place)
    .reduce<readonly string[]>(
      (before, step) => namesAfter(before, step, known, depth),
      listSourceRowNames(source, known, depth),
    )
  return [...new Set(names)]
}
