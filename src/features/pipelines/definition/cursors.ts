import { MAX_INT32 } from '../../../lib/int32.ts'
import { expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  objectShape,
  optionalMember,
  requiredMember,
  variantsShape,
} from '../../../scripting/schemas/objects.ts'
import type { ShapeValue } from '../../../scripting/schemas/shape.ts'
import { booleanShape, enumShape, moduleSourceShape, numberShape } from '../../../scripting/schemas/values.ts'
import { rowConditionShape } from './conditions.ts'
import {
  JOIN_EXPRESSION_ROOTS,
  memberNameShape,
  namedMembersShape,
  rowExpressionShape,
  valueOrArgumentShape,
} from './expressions.ts'
import { pipelineSourceShape } from './sources.ts'

const MAX_PIPELINE_CURSORS = 30
const MAX_SORT_KEYS = 50

export const aggregateFunctions = [
  'count',
  'countDistinct',
  'sum',
  'avg',
  'min',
  'max',
  'first',
  'last',
  'list',
] as const

const aggregateShape = objectShape(
  { function: requiredMember(enumShape(...aggregateFunctions)), value: optionalMember(rowExpressionShape()) },
  ({ function: name, value }, path, visitor) => {
    if (value === null && name !== null && name !== 'count')
      visitor.flaw?.(createFlaw('missing-setting', `${path}/value`, `"value" is required with "${name}".`))
  },
)
export type CursorAggregate = ShapeValue<typeof aggregateShape>

const sortKeyShape = objectShape({
  value: requiredMember(rowExpressionShape()),
  direction: defaultedMember(enumShape('asc', 'desc'), 'asc'),
  nulls: defaultedMember(enumShape('first', 'last'), 'last'),
})
export type CursorSortKey = ShapeValue<typeof sortKeyShape>

const countShape = valueOrArgumentShape(numberShape(0, MAX_INT32))

const cursorVariantsShape = variantsShape({
  filter: objectShape({ condition: requiredMember(rowConditionShape) }),
  map: objectShape({
    fields: requiredMember(namedMembersShape(rowExpressionShape())),
    keep: defaultedMember(booleanShape, false),
  }),
  sort: objectShape({ by: defaultedMember(listShape(sortKeyShape, { least: 1, most: MAX_SORT_KEYS }), []) }),
  distinct: objectShape({
    by: defaultedMember(listShape(rowExpressionShape(), { least: 1, most: MAX_SORT_KEYS }), []),
  }),
  limit: objectShape({ count: requiredMember(countShape), offset: defaultedMember(countShape, 0) }),
  group: objectShape({
    by: defaultedMember(namedMembersShape(rowExpressionShape()), {}),
    aggregates: defaultedMember(namedMembersShape(aggregateShape), {}),
  }),
  join: objectShape({
    source: requiredMember(pipelineSourceShape),
    on: requiredMember(
      objectShape({
        left: requiredMember(rowExpressionShape()),
        right: requiredMember(expressionShape('any', { roots: JOIN_EXPRESSION_ROOTS })),
      }),
    ),
    kind: defaultedMember(enumShape('left', 'inner'), 'left'),
    into: requiredMember(memberNameShape),
    many: defaultedMember(booleanShape, false),
  }),
  expand: objectShape({ value: requiredMember(rowExpressionShape()), into: requiredMember(memberNameShape) }),
  script: objectShape({ value: requiredMember(moduleSourceShape) }),
})

/** A step that rows go through. */
export type PipelineCursor = ShapeValue<typeof cursorVariantsShape>
export type PipelineCursorOf<Type extends PipelineCursor['type']> = Extract<PipelineCursor, { type: Type }>

export const cursorListShape = listShape(cursorVariantsShape, { most: MAX_PIPELINE_CURSORS })
export const cursorShape = cursorVariantsShape
