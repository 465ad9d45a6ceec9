import { isDeepStrictEqual } from 'node:util'
import { MAX_INT32 } from '../../../lib/int32.ts'
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

const MAX_CAPPING_ENTRIES = 50
const MAX_NODES = 1000
const MAX_KEY_LENGTH = 256

const contactKey: DefinitionExpression = { type: 'path', value: 'contact.id' }

const cappingEntryShape = objectShape(
  {
    // Filled in below: an entry that is stored already keeps its id.
    id: defaultedMember(uuidShape, ''),
    key: defaultedMember(expressionShape('string', { plain: true, most: MAX_KEY_LENGTH }), contactKey),
    increment: defaultedMember(numberShape(0, MAX_INT32), 1),
    threshold: requiredMember(numberShape(-MAX_INT32 - 1, MAX_INT32)),
    period: requiredMember(timeSpanShape),
    nodes: defaultedMember(listShape(mentionedNodeShape(), { most: MAX_NODES }), []),
    action: defaultedMember(enumShape('continue', 'end'), 'continue'),
  },
  ({ period: periodValue }, path, visitor) => {
    if (periodValue?.type === 'calendar' && (periodValue.unit === 'MILLISECOND' || periodValue.unit === 'SECOND'))
      visitor.flaw?.(createFlaw('type-mismatch', `${path}/period`, 'Units below a minute can only be rolling.'))
  },
)

/** Limits how often a node acts for one key. */
export type CappingEntry = ShapeValue<typeof cappingEntryShape>

export const cappingListShape = listShape(cappingEntryShape, {
  most: MAX_CAPPING_ENTRIES,
  unique: ({ id, ...others }) => id || others,
})

/** Gives ids to the entries without one: those of the stored entries that count the same, or new ones. */
export function assignCappingIds(
  cappingEntries: readonly CappingEntry[],
  storedEntries: readonly CappingEntry[],
  makeId: () => string,
): CappingEntry[] {
  const usedIds = new Set(cappingEntries.map(({ id }) => id))
  return cappingEntries.map((cappingEntry) => {
    if (cappingEntry.id !== '') return cappingEntry
    const selectCountedParts = ({ key, period: over, nodes }: CappingEntry) => [key, over, nodes]
    const matchingEntry = storedEntries.find(
      (storedEntry) =>
        !usedIds.has(storedEntry.id) &&
        isDeepStrictEqual(selectCountedParts(storedEntry), selectCountedParts(cappingEntry)),
    )
    const id = matchingEntry?.id ?? makeId()
    usedIds.add(id)
    return { ...cappingEntry, id }
  })
}
