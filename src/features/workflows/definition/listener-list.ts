import {
  defaultedMember,
  listShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { ShapeValue } from '../../../scripting/schemas/shape.ts'
import {
  booleanShape,
  clientIdShape,
  enumShape,
  targetNodeShape,
  textShape,
} from '../../../scripting/schemas/values.ts'
import { eventFilterShape } from './event-filters.ts'

const MAX_LISTENERS = 100

/** Names that listener conditions can use. */
const LISTENER_ROOTS: ReadonlySet<string> = new Set(['event', 'contact', 'environment', 'account', 'now'])

/** Members of every part that users can name. */
export const partDescriptionMembers = {
  name: optionalMember(textShape({ most: 255 })),
  description: optionalMember(textShape({ most: 4000 })),
}

const listenerShape = objectShape({
  id: defaultedMember(clientIdShape, ({ reading }) => reading.makeId()),
  ...partDescriptionMembers,
  enabled: defaultedMember(booleanShape, true),
  event: requiredMember(eventFilterShape(LISTENER_ROOTS)),
  onOpen: defaultedMember(enumShape('start', 'skip', 'move', 'moveOrStart'), 'start'),
  correlation: defaultedMember(enumShape('contact', 'thread'), 'contact'),
  handler: requiredMember(targetNodeShape),
})

/** Starts runs when an event arrives. */
export type WorkflowListener = ShapeValue<typeof listenerShape>

export const listenerListShape = listShape(listenerShape, { most: MAX_LISTENERS, unique: ({ id }) => id })
