import { isObject } from '../../../lib/objects.ts'
import type { Span } from '../../../lib/time/spans.ts'
import { expression, RUN_ROOTS } from '../../../scripting/expressions/expression.ts'
import { flaw } from '../../../scripting/flaws.ts'
import { defaulted, list, object, optional, type Rule, required } from '../../../scripting/schemas/objects.ts'
import type { Shape } from '../../../scripting/schemas/shape.ts'
import { mention, ownId, period, target, variableName, word } from '../../../scripting/schemas/values.ts'
import { eventFilter } from '../definition/event-filters.ts'
import { optionalValue } from './members.ts'
import { nodeType } from './node-type.ts'

const MAX_WAITS = 20
const MIN_WAITS = 2
const MAX_NODES = 1000

const correlation = optional(word('thread', 'send', 'contact', 'none'))

/** A span, or a date: `{until}`. */
const until = object({ until: defaulted(expression('date'), { type: 'literal', value: null }) })
const deadline: Shape<Span | ReturnType<typeof until.read>> = {
  read: (given, place) =>
    isObject(given) && Object.hasOwn(given, 'until') ? until.read(given, place) : period.read(given, place),
  visit: (value, path, visitor) => ('until' in value ? until.visit?.(value, path, visitor) : undefined),
}

const words = word('previous', 'now', 'send', 'run')
/** From where a wait looks: a place in the run, or a span back. */
const since: Shape<Span | 'previous' | 'now' | 'send' | 'run'> = {
  read: (given, place) => (typeof given === 'string' ? words.read(given, place) : period.read(given, place)),
}

/** What waits for an event. */
const awaited = {
  correlation,
  sendNode: optional(mention('send')),
  since: defaulted(since, 'previous'),
}
const event = eventFilter(RUN_ROOTS)
const waitId = defaulted(ownId, ({ reading }) => reading.makeId())

/** Waits for an event or its deadline. */
export const wait = nodeType(
  'wait',
  object({
    event: required(event),
    timeout: optional(deadline),
    timeoutNext: optional(target),
    ...awaited,
    into: optional(variableName),
  }),
  { family: 'waits', isPause: true },
)

const oneOfThree: Rule<{ event: unknown; period: unknown; until: unknown }> = (value, path, visitor) => {
  const given = [value.event, value.period, value.until].filter((one) => one !== null)
  if (given.length === 0)
    visitor.flaw?.(flaw('missing-setting', path, 'One of "event", "period", "until" is required.'))
  if (given.length > 1)
    visitor.flaw?.(flaw('ambiguous-setting', path, 'Only one of "event", "period", "until" can be given.'))
}

/** Waits for the first of several. */
export const race = nodeType(
  'wait.race',
  object({
    waits: required(
      list(
        object(
          {
            id: waitId,
            event: optional(event),
            period: optional(period),
            until: optionalValue('date'),
            ...awaited,
            next: optional(target),
          },
          oneOfThree,
        ),
        { least: MIN_WAITS, most: MAX_WAITS, unique: ({ id }) => id },
      ),
    ),
    into: optional(variableName),
  }),
  { family: 'waits', isPause: true },
)

/** Waits until each of several events has come. */
export const all = nodeType(
  'wait.all',
  object({
    waits: required(
      list(object({ id: waitId, event: required(event), ...awaited }), {
        ...{ least: MIN_WAITS, most: MAX_WAITS },
        unique: ({ id }) => id,
      }),
    ),
    timeout: optional(deadline),
    timeoutNext: optional(target),
    into: optional(variableName),
  }),
  { family: 'waits', isPause: true },
)

/** Ends or releases other runs of the contact that wait. */
export const kill = nodeType(
  'wait.kill',
  object({
    nodes: required(list(mention('pause'), { least: 1, most: MAX_NODES })),
    scope: defaulted(word('contact', 'thread'), 'contact'),
    action: defaulted(word('kill', 'release'), 'kill'),
    into: optional(variableName),
  }),
  { family: 'waits' },
)
