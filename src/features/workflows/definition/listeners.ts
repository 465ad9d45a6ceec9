import { defaulted, list, object, optional, required } from '../../../scripting/schemas/objects.ts'
import type { Read } from '../../../scripting/schemas/shape.ts'
import { ownId, target, text, truth, word } from '../../../scripting/schemas/values.ts'
import { eventFilter } from './event-filters.ts'

const MAX_LISTENERS = 100

/** What conditions of listeners can name. */
const LISTENER_ROOTS: ReadonlySet<string> = new Set(['event', 'contact', 'environment', 'account', 'now'])

/** What every part has that people name. */
export const described = { name: optional(text({ most: 255 })), description: optional(text({ most: 4000 })) }

const listener = object({
  id: defaulted(ownId, ({ reading }) => reading.makeId()),
  ...described,
  enabled: defaulted(truth, true),
  event: required(eventFilter(LISTENER_ROOTS)),
  onOpen: defaulted(word('start', 'skip', 'move', 'moveOrStart'), 'start'),
  correlation: defaulted(word('contact', 'thread'), 'contact'),
  handler: required(target),
})

/** What starts runs when an event comes. */
export type Listener = Read<typeof listener>

export const listeners = list(listener, { most: MAX_LISTENERS, unique: ({ id }) => id })
