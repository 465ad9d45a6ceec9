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

const MAX_EVENT_TYPES = 100
const MAX_SUBJECT_IDS = 100
const MAX_ARGUMENTS = 50
/** Rows that a definition or an argument holds. */
export const MAX_INLINE_ROWS = 10_000

const callDateShape = expressionShape('date', { roots: CALL_EXPRESSION_ROOTS })

/** An instant of a source: a date, an expression that gives one, or how far back from now. */
export type PeriodBound = string | DefinitionExpression | TimeSpan

function isExpression(value: unknown): value is DefinitionExpression {
  return isJsonObject(value) && expressionTypes.some((type) => type === value['type'])
}

/** Classifies the bound of a period: a date, an expression, or a span of time before now. */
export function classifyPeriodBound(rawPeriodBound: PeriodBound): 'date' | 'expression' | 'span' {
  if (typeof rawPeriodBound === 'string') return 'date'
  return isExpression(rawPeriodBound) ? 'expression' : 'span'
}

const periodBoundShape: DefinitionShape<PeriodBound> = {
  read(rawBound, place) {
    if (isExpression(rawBound)) return parseExpression(rawBound, place, expressionTypes)
    if (isJsonObject(rawBound)) return timeSpanShape.read(rawBound, place)
    return instantShape.read(rawBound, place)
  },
  visit(value, path, visitor) {
    if (isExpression(value)) callDateShape.visit?.(value, path, visitor)
  },
}

/** The id of an action is a text; of an RCS action or a notification a number. */
const subjectIdShape: DefinitionShape<string | number> = {
  read(rawBound, place) {
    if (typeof rawBound === 'string') return referenceShape<string>('action').read(rawBound, place)
    if (typeof rawBound === 'number') return referenceShape<number>('rcsAction').read(rawBound, place)
    return addStructureFault(place, 'must be the id of an action, or the number of an RCS action or a notification')
  },
}

/** Kind of the objects that numeric ids refer to, by the types of events; null: either. */
function resolveNumberedKind(types: readonly string[]): 'rcsAction' | 'notification' | 'none' | null {
  const [isRcs, isPush] = ['rcs.', 'notification.'].map((start) => types.some((type) => type.startsWith(start)))
  if (isRcs && isPush) return null
  return isRcs ? 'rcsAction' : isPush ? 'notification' : 'none'
}

const subjectsRule: ObjectRule<{ types: string[]; ids: (string | number)[] | null }> = (
  { types, ids },
  path,
  visitor,
) => {
  const numbered = resolveNumberedKind(types)
  for (const [index, id] of (ids ?? []).entries()) {
    const idPointer = `${path}/ids/${index}`
    if (typeof id === 'string') visitor.reference?.('action', id, idPointer)
    else if (numbered === 'none')
      visitor.flaw?.(
        createFlaw(
          'type-mismatch',
          idPointer,
          'Numbers are IDs of RCS actions or notifications, but no such event type is selected.',
        ),
      )
    else if (numbered !== null) visitor.reference?.(numbered, id, idPointer)
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
      types: defaultedMember(
        listShape(enumShape(...listenedEventTypes.keys()), { least: 1, most: MAX_EVENT_TYPES }),
        [],
      ),
      start: optionalMember(periodBoundShape),
      end: optionalMember(periodBoundShape),
      ids: optionalMember(listShape(subjectIdShape, { most: MAX_SUBJECT_IDS })),
    },
    subjectsRule,
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

/** Source of the rows. */
export type PipelineSource = ShapeValue<typeof pipelineSourceShape>
export type PipelineSourceOf<Type extends PipelineSource['type']> = Extract<PipelineSource, { type: Type }>
