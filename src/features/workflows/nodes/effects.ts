import { expression } from '../../../scripting/expressions/expression.ts'
import { defaulted, exactlyOne, list, map, object, optional, required } from '../../../scripting/schemas/objects.ts'
import {
  calling,
  moduleSource,
  number,
  reference,
  target,
  truth,
  variableName,
  word,
} from '../../../scripting/schemas/values.ts'
import { EVENT_NAME } from '../../script-host/writes/publishing.ts'
import { requiredValue, textsByName, valuesByName } from './members.ts'
import { nodeType } from './node-type.ts'

const MAX_OUTPUTS = 100

/** Writes an event of one's own. Its members are at the node itself. */
export const publish = nodeType('publish', object({}), {
  ...{ family: 'publish', hasFailure: true },
  own: object({
    event: requiredValue('string', { plain: true, most: 128, pattern: EVENT_NAME }),
    data: optional(expression('object')),
  }) as never,
})

/** Calls a server. */
export const request = nodeType(
  'request',
  object(
    {
      method: defaulted(word('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'GET'),
      url: requiredValue('string'),
      headers: textsByName,
      body: optional(expression('any')),
      timeoutMs: defaulted(number(100, 30_000), 10_000),
      success: optional(list(number(100, 599), { most: 100 })),
      repeat: defaulted(truth, true),
      into: optional(variableName),
    },
    ({ url }, path, visitor) => {
      if (url?.type === 'literal' && typeof url.value === 'string') visitor.address?.(url.value, `${path}/url`)
    },
  ),
  { family: 'request', hasFailure: true },
)

/** Runs a script of its own, or a webtask. */
export const script = nodeType(
  'script',
  object(
    {
      value: optional(moduleSource),
      webtask: optional(reference<number>('webtask')),
      arguments: valuesByName,
      outputs: optional(map(target, { most: MAX_OUTPUTS })),
      into: optional(variableName),
    },
    exactlyOne('value', 'webtask'),
  ),
  { family: 'script', hasFailure: true },
)

/** All rows of a compilable at once. */
export const compilableValue = nodeType(
  'data-manager/pipeline',
  object(
    {
      compilable: required(reference<string>('compilable')),
      arguments: valuesByName,
      into: required(variableName),
    },
    calling('compilable', false),
  ),
  { family: 'pipelines', hasFailure: true },
)

/** The first row of a pipeline. */
export const firstRow = nodeType(
  'data-table/pipeline',
  object(
    {
      compilable: required(reference<string>('pipeline')),
      arguments: valuesByName,
      into: optional(variableName),
      empty: optional(target),
    },
    calling('compilable', true),
  ),
  { family: 'pipelines', hasFailure: true },
)
