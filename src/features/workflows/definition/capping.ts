import { isDeepStrictEqual } from 'node:util'
import { type Expression, expression } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, list, object, required } from '../../../scripting/schemas/objects.ts'
import type { Read } from '../../../scripting/schemas/shape.ts'
import { mention, number, period, uuid, word } from '../../../scripting/schemas/values.ts'

const MAX_ENTRIES = 50
const MAX_NODES = 1000
const MAX_KEY_LENGTH = 256
const MAX_INT32 = 0x7fffffff

const byContact: Expression = { type: 'path', value: 'contact.id' }

const entry = object(
  {
    // Filled in below: an entry that is stored already keeps its id.
    id: defaulted(uuid, ''),
    key: defaulted(expression('string', { plain: true, most: MAX_KEY_LENGTH }), byContact),
    increment: defaulted(number(0, MAX_INT32), 1),
    threshold: required(number(-MAX_INT32 - 1, MAX_INT32)),
    period: required(period),
    nodes: defaulted(list(mention(), { most: MAX_NODES }), []),
    action: defaulted(word('continue', 'end'), 'continue'),
  },
  ({ period: given }, path, visitor) => {
    if (given?.type === 'calendar' && (given.unit === 'MILLISECOND' || given.unit === 'SECOND'))
      visitor.flaw?.(flaw('type-mismatch', `${path}/period`, 'Units below a minute can only be rolling.'))
  },
)

/** How often a node acts for one key at most. */
export type CappingEntry = Read<typeof entry>

export const capping = list(entry, { most: MAX_ENTRIES, unique: ({ id, ...others }) => id || others })

/** Gives ids to the entries without one: those of the stored entries that count the same, or new ones. */
export function identified(
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
