import { isJsonObject } from '../../../lib/objects.ts'
import type { TimeSpan } from '../../../lib/time/spans.ts'
import { expressionShape, parseExpression } from '../../../scripting/expressions/expression.ts'
import { type DefinitionExpression, expressionTypes } from '../../../scripting/expressions/expression-types.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  mapShape,
  type ObjectRule,
  objectShape,
  optionalMember,
  requiredMember,
  variantsShape,
} from '../../../scripting/schemas/objects.ts'
import { addStructureFault, type DefinitionShape, type ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  anyJsonShape,
  compilableCallRule,
  enumShape,
  instantShape,
  referenceShape,
  timeSpanShape,
} from '../../../scripting/schemas/values.ts'
import { listenedEventTypes } from '../../events/kinds/listened-types.ts'
import { CALL_EXPRESSION_ROOTS, valueOrArgumentShape } from './expressions.ts'

const MAX_TYPES = 100
const MAX_IDS = 100
const MAX_ARGUMENTS = 50
/** Rows that a definition or an argument holds. */
export const MAX_INLINE_ROWS = 10_000

const ofCall = expressionShape('date', { roots: CALL_EXPRESSION_ROOTS })

/** An instant of a source: a date, an expression that gives one, or how far back from now. */
export type PeriodBound = string | DefinitionExpression | TimeSpan

function isExpression(value: unknown): value is DefinitionExpression {
  return isJsonObject(value) && expressionTypes.some((type) => type === value['type'])
}

/** Whether the bound of a period is an expression, or a span of time back. */
export function classifyPeriodBound(bound: PeriodBound): 'date' | 'expression' | 'span' {
  if (typeof bound === 'string') return 'date'
  return isExpression(bound) ? 'expression' : 'span'
}

const bound: DefinitionShape<PeriodBound> = {
  read(given, place) {
    if (isExpression(given)) return parseExpression(given, place, expressionTypes)
    if (isJsonObject(given)) return timeSpanShape.read(given, place)
    return instantShape.read(given, place)
  },
  visit(value, path, visitor) {
    if (isExpression(value)) ofCall.visit?.(value, path, visitor)
  },
}

/** The id of an action is a text; of an RCS action or a notification a number. */
const subject: DefinitionShape<string | number> = {
  read(given, place) {
    if (typeof given === 'string') return referenceShape<string>('action').read(given, place)
    if (typeof given === 'number') return referenceShape<number>('rcsAction').read(given, place)
    return addStructureFault(place, 'must be the id of an action, or the number of an RCS action or a notification')
  },
}

/** What numbers among ids are of, by the types of events; null: of either. */
function numberedKind(types: readonly string[]): 'rcsAction' | 'notification' | 'none' | null {
  const [isRcs, isPush] = ['rcs.', 'notification.'].map((start) => types.some((type) => type.startsWith(start)))
  if (isRcs && isPush) return null
  return isRcs ? 'rcsAction' : isPush ? 'notification' : 'none'
}

const subjects: ObjectRule<{ types: string[]; ids: (string | number)[] | null }> = ({ types, ids }, path, visitor) => {
  const numbered = numberedKind(types)
  for (const [index, id] of (ids ?? []).entries()) {
    const at = `${path}/ids/${index}`
    if (typeof id === 'string') visitor.reference?.('action', id, at)
    else if (numbered === 'none')
      visitor.flaw?.(
        createFlaw('type-mismatch', at, 'Numbers are ids of RCS actions or notifications: no such type is asked for.'),
      )
    else if (numbered !== null) visitor.reference?.(numbered, id, at)
  }
}

/** Arguments of what is executed. */
export const callArgumentsShape = optionalMember(
  mapShape(expressionShape('any', { roots: CALL_EXPRESSION_ROOTS }), { most: MAX_ARGUMENTS }),
)

export const pipelineSourceShape = variantsShape({
  targets: objectShape({}),
  segment: objectShape({ segment: requiredMember(valueOrArgumentShape(referenceShape<number>('segment'))) }),
  events: objectShape(
    {
      types: defaultedMember(listShape(enumShape(...listenedEventTypes.keys()), { least: 1, most: MAX_TYPES }), []),
      start: optionalMember(bound),
      end: optionalMember(bound),
      ids: optionalMember(listShape(subject, { most: MAX_IDS })),
    },
    subjects,
  ),
  valueList: objectShape({ id: requiredMember(referenceShape<number>('valueList')) }),
  inline: objectShape({
    rows: requiredMember(valueOrArgumentShape(listShape(anyJsonShape, { most: MAX_INLINE_ROWS }))),
  }),
  compilable: objectShape(
    { id: requiredMember(referenceShape<string>('pipeline')), arguments: callArgumentsShape },
    compilableCallRule('id', true),
  ),
})

/** Where rows come from. */
export type PipelineSource = ShapeValue<typeof pipelineSourceShape>
export type PipelineSourceOf<Type extends PipelineSource['type']> = Extract<PipelineSource, { type: Type }>
