import { isDeepStrictEqual } from 'node:util'
import { type DefinitionExpression, expressionShape } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import { defaultedMember, listShape, objectShape, requiredMember } from '../../../scripting/schemas/objects.ts'
import type { ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  enumShape,
  mentionedNodeShape,
  numberShape,
  timeSpanShape,
  uuidShape,
} from '../../../scripting/schemas/values.ts'

const MAX_ENTRIES = 50
const MAX_NODES = 1000
const MAX_KEY_LENGTH = 256
const MAX_INT32 = 0x7fffffff

const byContact: DefinitionExpression = { type: 'path', value: 'contact.id' }

const entry = objectShape(
  {
    // Filled in below: an entry that is stored already keeps its id.
    id: defaultedMember(uuidShape, ''),
    key: defaultedMember(expressionShape('string', { plain: true, most: MAX_KEY_LENGTH }), byContact),
    increment: defaultedMember(numberShape(0, MAX_INT32), 1),
    threshold: requiredMember(numberShape(-MAX_INT32 - 1, MAX_INT32)),
    period: requiredMember(timeSpanShape),
    nodes: defaultedMember(listShape(mentionedNodeShape(), { most: MAX_NODES }), []),
    action: defaultedMember(enumShape('continue', 'end'), 'continue'),
  },
  ({ period: given }, path, visitor) => {
    if (given?.type === 'calendar' && (given.unit === 'MILLISECOND' || given.unit === 'SECOND'))
      visitor.flaw?.(createFlaw('type-mismatch', `${path}/period`, 'Units below a minute can only be rolling.'))
  },
)

/** How often a node acts for one key at most. */
export type CappingEntry = ShapeValue<typeof entry>

export const cappingListShape = listShape(entry, { most: MAX_ENTRIES, unique: ({ id, ...others }) => id || others })

/** Gives ids to the entries without one: those of the stored entries that count the same, or new ones. */
export function assignCappingIds(
  given: readonly CappingEntry[],
  stored: readonly CappingEntry[],
  makeId: () => string,
): CappingEntry[] {
  const taken = new Set(given.map(({ id }) => id))
  return given.map((one) => {
    if (one.id !== '') return one
    const counted = ({ key, period: over, nodes }: CappingEntry) => [key, over, nodes]
    const same = stored.find((other) => !taken.has(other.id) && isDeepStrictEqual(counted(other), counted(one)))
    const id = same?.id ?? makeId()
    taken.add(id)
    return { ...one, id }
  })
}
