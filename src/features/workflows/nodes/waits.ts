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

const correlationMember = optionalMember(enumShape('thread', 'send', 'contact', 'none'))

/** A span, or a date: `{until}`. */
const untilShape = objectShape({ until: defaultedMember(expressionShape('date'), { type: 'literal', value: null }) })
const deadlineShape: DefinitionShape<TimeSpan | ReturnType<typeof untilShape.read>> = {
  read: (rawValue, place) =>
    isJsonObject(rawValue) && Object.hasOwn(rawValue, 'until')
      ? untilShape.read(rawValue, place)
      : timeSpanShape.read(rawValue, place),
  visit: (value, path, visitor) => ('until' in value ? untilShape.visit?.(value, path, visitor) : undefined),
}

const namedStartShape = enumShape('previous', 'now', 'send', 'run')
/** From where a wait looks: a place in the run, or a span back. */
const waitStartShape: DefinitionShape<TimeSpan | 'previous' | 'now' | 'send' | 'run'> = {
  read: (rawValue, place) =>
    typeof rawValue === 'string' ? namedStartShape.read(rawValue, place) : timeSpanShape.read(rawValue, place),
}

/** Members of a wait for an event. */
const awaitedMembers = {
  correlation: correlationMember,
  sendNode: optionalMember(mentionedNodeShape('send')),
  since: defaultedMember(waitStartShape, 'previous'),
}
const awaitedEventShape = eventFilterShape(RUN_EXPRESSION_ROOTS)
const waitIdMember = defaultedMember(clientIdShape, ({ reading }) => reading.makeId())

/** Waits for an event or its deadline. */
export const waitNode = defineNodeType(
  'wait',
  objectShape({
    event: requiredMember(awaitedEventShape),
    timeout: optionalMember(deadlineShape),
    timeoutNext: optionalMember(targetNodeShape),
    ...awaitedMembers,
    into: optionalMember(variableNameShape),
  }),
  { family: 'waits', isPause: true },
)

const requireOneOfThree: ObjectRule<{ event: unknown; period: unknown; until: unknown }> = (value, path, visitor) => {
  const presentValues = [value.event, value.period, value.until].filter((candidateValue) => candidateValue !== null)
  if (presentValues.length === 0)
    visitor.flaw?.(createFlaw('missing-setting', path, 'One of "event", "period", "until" is required.'))
  if (presentValues.length > 1)
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
            id: waitIdMember,
            event: optionalMember(awaitedEventShape),
            period: optionalMember(timeSpanShape),
            until: optionalExpression('date'),
            ...awaitedMembers,
            next: optionalMember(targetNodeShape),
          },
          requireOneOfThree,
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
      listShape(objectShape({ id: waitIdMember, event: requiredMember(awaitedEventShape), ...awaitedMembers }), {
        ...{ least: MIN_WAITS, most: MAX_WAITS },
        unique: ({ id }) => id,
      }),
    ),
    timeout: optionalMember(deadlineShape),
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
