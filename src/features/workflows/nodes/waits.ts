import { isJsonObject } from '../../../lib/objects.ts'
import type { TimeSpan } from '../../../lib/time/spans.ts'
import { expressionShape, RUN_EXPRESSION_ROOTS } from '../../../scripting/expressions/expression.ts'
import { createFlaw } from '../../../scripting/flaws.ts'
import {
  defaultedMember,
  listShape,
  type ObjectRule,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import type { DefinitionShape } from '../../../scripting/schemas/shape.ts'
import {
  clientIdShape,
  enumShape,
  mentionedNodeShape,
  targetNodeShape,
  timeSpanShape,
  variableNameShape,
} from '../../../scripting/schemas/values.ts'
import { eventFilterShape } from '../definition/event-filters.ts'
import { optionalExpression } from './members.ts'
import { defineNodeType } from './node-type.ts'

const MAX_WAITS = 20
const MIN_WAITS = 2
const MAX_NODES = 1000

const correlation = optionalMember(enumShape('thread', 'send', 'contact', 'none'))

/** A span, or a date: `{until}`. */
const until = objectShape({ until: defaultedMember(expressionShape('date'), { type: 'literal', value: null }) })
const deadline: DefinitionShape<TimeSpan | ReturnType<typeof until.read>> = {
  read: (given, place) =>
    isJsonObject(given) && Object.hasOwn(given, 'until') ? until.read(given, place) : timeSpanShape.read(given, place),
  visit: (value, path, visitor) => ('until' in value ? until.visit?.(value, path, visitor) : undefined),
}

const words = enumShape('previous', 'now', 'send', 'run')
/** From where a wait looks: a place in the run, or a span back. */
const since: DefinitionShape<TimeSpan | 'previous' | 'now' | 'send' | 'run'> = {
  read: (given, place) => (typeof given === 'string' ? words.read(given, place) : timeSpanShape.read(given, place)),
}

/** What waits for an event. */
const awaited = {
  correlation,
  sendNode: optionalMember(mentionedNodeShape('send')),
  since: defaultedMember(since, 'previous'),
}
const event = eventFilterShape(RUN_EXPRESSION_ROOTS)
const waitId = defaultedMember(clientIdShape, ({ reading }) => reading.makeId())

/** Waits for an event or its deadline. */
export const waitNode = defineNodeType(
  'wait',
  objectShape({
    event: requiredMember(event),
    timeout: optionalMember(deadline),
    timeoutNext: optionalMember(targetNodeShape),
    ...awaited,
    into: optionalMember(variableNameShape),
  }),
  { family: 'waits', isPause: true },
)

const oneOfThree: ObjectRule<{ event: unknown; period: unknown; until: unknown }> = (value, path, visitor) => {
  const given = [value.event, value.period, value.until].filter((one) => one !== null)
  if (given.length === 0)
    visitor.flaw?.(createFlaw('missing-setting', path, 'One of "event", "period", "until" is required.'))
  if (given.length > 1)
    visitor.flaw?.(createFlaw('ambiguous-setting', path, 'Only one of "event", "period", "until" can be given.'))
}

/** Waits for the first of several. */
export const waitRaceNode = defineNodeType(
  'wait.race',
  objectShape({
    waits: requiredMember(
      listShape(
        objectShape(
          {
            id: waitId,
            event: optionalMember(event),
            period: optionalMember(timeSpanShape),
            until: optionalExpression('date'),
            ...awaited,
            next: optionalMember(targetNodeShape),
          },
          oneOfThree,
        ),
        { least: MIN_WAITS, most: MAX_WAITS, unique: ({ id }) => id },
      ),
    ),
    into: optionalMember(variableNameShape),
  }),
  { family: 'waits', isPause: true },
)

/** Waits until each of several events has come. */
export const waitAllNode = defineNodeType(
  'wait.all',
  objectShape({
    waits: requiredMember(
      listShape(objectShape({ id: waitId, event: requiredMember(event), ...awaited }), {
        ...{ least: MIN_WAITS, most: MAX_WAITS },
        unique: ({ id }) => id,
      }),
    ),
    timeout: optionalMember(deadline),
    timeoutNext: optionalMember(targetNodeShape),
    into: optionalMember(variableNameShape),
  }),
  { family: 'waits', isPause: true },
)

/** Ends or releases other runs of the contact that wait. */
export const waitKillNode = defineNodeType(
  'wait.kill',
  objectShape({
    nodes: requiredMember(listShape(mentionedNodeShape('pause'), { least: 1, most: MAX_NODES })),
    scope: defaultedMember(enumShape('contact', 'thread'), 'contact'),
    action: defaultedMember(enumShape('kill', 'release'), 'kill'),
    into: optionalMember(variableNameShape),
  }),
  { family: 'waits' },
)
