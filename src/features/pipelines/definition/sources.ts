import { isObject } from '../../../lib/objects.ts'
import type { Span } from '../../../lib/time/spans.ts'
import { expression, readExpression } from '../../../scripting/expressions/expression.ts'
import { type Expression, expressionTypes } from '../../../scripting/expressions/expression-types.ts'
import { flaw } from '../../../scripting/flaws.ts'
import {
  defaulted,
  list,
  map,
  object,
  optional,
  type Rule,
  required,
  variants,
} from '../../../scripting/schemas/objects.ts'
import { fault, type Read, type Shape } from '../../../scripting/schemas/shape.ts'
import { anything, calling, instant, period, reference, word } from '../../../scripting/schemas/values.ts'
import { listenedTypes } from '../../events/kinds/listened-types.ts'
import { CALL_ROOTS, orArgument } from './expressions.ts'

const MAX_TYPES = 100
const MAX_IDS = 100
const MAX_ARGUMENTS = 50
/** Rows that a definition or an argument holds. */
export const MAX_INLINE_ROWS = 10_000

const ofCall = expression('date', { roots: CALL_ROOTS })

/** An instant of a source: a date, an expression that gives one, or how far back from now. */
export type Bound = string | Expression | Span

function isExpression(value: unknown): value is Expression {
  return isObject(value) && expressionTypes.some((type) => type === value['type'])
}

/** Whether the bound of a period is an expression, or a span of time back. */
export function boundKind(bound: Bound): 'date' | 'expression' | 'span' {
  if (typeof bound === 'string') return 'date'
  return isExpression(bound) ? 'expression' : 'span'
}

const bound: Shape<Bound> = {
  read(given, place) {
    if (isExpression(given)) return readExpression(given, place, expressionTypes)
    if (isObject(given)) return period.read(given, place)
    return instant.read(given, place)
  },
  visit(value, path, visitor) {
    if (isExpression(value)) ofCall.visit?.(value, path, visitor)
  },
}

/** The id of an action is a text; of an RCS action or a notification a number. */
const subject: Shape<string | number> = {
  read(given, place) {
    if (typeof given === 'string') return reference<string>('action').read(given, place)
    if (typeof given === 'number') return reference<number>('rcsAction').read(given, place)
    return fault(place, 'must be the id of an action, or the number of an RCS action or a notification')
  },
}

/** What numbers among ids are of, by the types of events; null: of either. */
function numberedKind(types: readonly string[]): 'rcsAction' | 'notification' | 'none' | null {
  const [isRcs, isPush] = ['rcs.', 'notification.'].map((start) => types.some((type) => type.startsWith(start)))
  if (isRcs && isPush) return null
  return isRcs ? 'rcsAction' : isPush ? 'notification' : 'none'
}

const subjects: Rule<{ types: string[]; ids: (string | number)[] | null }> = ({ types, ids }, path, visitor) => {
  const numbered = numberedKind(types)
  for (const [index, id] of (ids ?? []).entries()) {
    const at = `${path}/ids/${index}`
    if (typeof id === 'string') visitor.reference?.('action', id, at)
    else if (numbered === 'none')
      visitor.flaw?.(
        flaw('type-mismatch', at, 'Numbers are ids of RCS actions or notifications: no such type is asked for.'),
      )
    else if (numbered !== null) visitor.reference?.(numbered, id, at)
  }
}

/** Arguments of what is executed. */
export const callArguments = optional(map(expression('any', { roots: CALL_ROOTS }), { most: MAX_ARGUMENTS }))

export const sources = variants({
  targets: object({}),
  segment: object({ segment: required(orArgument(reference<number>('segment'))) }),
  events: object(
    {
      types: defaulted(list(word(...listenedTypes.keys()), { least: 1, most: MAX_TYPES }), []),
      start: optional(bound),
      end: optional(bound),
      ids: optional(list(subject, { most: MAX_IDS })),
    },
    subjects,
  ),
  valueList: object({ id: required(reference<number>('valueList')) }),
  inline: object({ rows: required(orArgument(list(anything, { most: MAX_INLINE_ROWS }))) }),
  compilable: object({ id: required(reference<string>('pipeline')), arguments: callArguments }, calling('id', true)),
})

/** Where rows come from. */
export type Source = Read<typeof sources>
export type SourceOf<Type extends Source['type']> = Extract<Source, { type: Type }>
