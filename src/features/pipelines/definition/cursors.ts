import { expression } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, list, object, optional, required, variants } from '../../../scripting/schemas/objects.ts'
import type { Read } from '../../../scripting/schemas/shape.ts'
import { moduleSource, number, truth, word } from '../../../scripting/schemas/values.ts'
import { condition } from './conditions.ts'
import { memberName, named, OTHER_ROOTS, ofRow, orArgument } from './expressions.ts'
import { sources } from './sources.ts'

const MAX_CURSORS = 30
const MAX_KEYS = 50
const MAX_INT32 = 0x7fffffff

export const aggregateFunctions = [
  ...(['count', 'countDistinct', 'sum', 'avg', 'min', 'max', 'first', 'last', 'list'] as const),
] as const

const aggregate = object(
  { function: required(word(...aggregateFunctions)), value: optional(ofRow()) },
  ({ function: name, value }, path, visitor) => {
    if (value === null && name !== null && name !== 'count')
      visitor.flaw?.(flaw('missing-setting', `${path}/value`, `"value" is required with "${name}".`))
  },
)
export type Aggregate = Read<typeof aggregate>

const sortKey = object({
  value: required(ofRow()),
  direction: defaulted(word('asc', 'desc'), 'asc'),
  nulls: defaulted(word('first', 'last'), 'last'),
})
export type SortKey = Read<typeof sortKey>

const count = orArgument(number(0, MAX_INT32))

const kinds = variants({
  filter: object({ condition: required(condition) }),
  map: object({ fields: required(named(ofRow())), keep: defaulted(truth, false) }),
  sort: object({ by: defaulted(list(sortKey, { least: 1, most: MAX_KEYS }), []) }),
  distinct: object({ by: defaulted(list(ofRow(), { least: 1, most: MAX_KEYS }), []) }),
  limit: object({ count: required(count), offset: defaulted(count, 0) }),
  group: object({ by: defaulted(named(ofRow()), {}), aggregates: defaulted(named(aggregate), {}) }),
  join: object({
    source: required(sources),
    on: required(object({ left: required(ofRow()), right: required(expression('any', { roots: OTHER_ROOTS })) })),
    kind: defaulted(word('left', 'inner'), 'left'),
    into: required(memberName),
    many: defaulted(truth, false),
  }),
  expand: object({ value: required(ofRow()), into: required(memberName) }),
  script: object({ value: required(moduleSource) }),
})

/** A step that rows go through. */
export type Cursor = Read<typeof kinds>
export type CursorOf<Type extends Cursor['type']> = Extract<Cursor, { type: Type }>

export const cursors = list(kinds, { most: MAX_CURSORS })
export const cursor = kinds
