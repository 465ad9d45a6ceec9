import { expressionShape } from '../../../scripting/expressions/expression.ts'
import {
  defaultedMember,
  exactlyOneRule,
  listShape,
  mapShape,
  objectShape,
  optionalMember,
  requiredMember,
} from '../../../scripting/schemas/objects.ts'
import {
  booleanShape,
  compilableCallRule,
  enumShape,
  moduleSourceShape,
  numberShape,
  referenceShape,
  targetNodeShape,
  variableNameShape,
} from '../../../scripting/schemas/values.ts'
import { CUSTOM_EVENT_NAME } from '../../script-host/writes/publishing.ts'
import { expressionMapShape, requiredExpression, textMapShape } from './members.ts'
import { defineNodeType } from './node-type.ts'

const MAX_OUTPUTS = 100

/** Writes an event of one's own. Its members are at the node itself. */
export const publishNode = defineNodeType('publish', objectShape({}), {
  ...{ family: 'publish', hasFailure: true },
  own: objectShape({
    event: requiredExpression('string', { plain: true, most: 128, pattern: CUSTOM_EVENT_NAME }),
    data: optionalMember(expressionShape('object')),
  }) as never,
})

/** Calls a server. */
export const requestNode = defineNodeType(
  'request',
  objectShape(
    {
      method: defaultedMember(enumShape('GET', 'POST', 'PUT', 'PATCH', 'DELETE'), 'GET'),
      url: requiredExpression('string'),
      headers: textMapShape,
      body: optionalMember(expressionShape('any')),
      timeoutMs: defaultedMember(numberShape(100, 30_000), 10_000),
      success: optionalMember(listShape(numberShape(100, 599), { most: 100 })),
      repeat: defaultedMember(booleanShape, true),
      into: optionalMember(variableNameShape),
    },
    ({ url }, path, visitor) => {
      if (url?.type === 'literal' && typeof url.value === 'string') visitor.address?.(url.value, `${path}/url`)
    },
  ),
  { family: 'request', hasFailure: true },
)

/** Runs a script of its own, or a webtask. */
export const scriptNode = defineNodeType(
  'script',
  objectShape(
    {
      value: optionalMember(moduleSourceShape),
      webtask: optionalMember(referenceShape<number>('webtask')),
      arguments: expressionMapShape,
      outputs: optionalMember(mapShape(targetNodeShape, { most: MAX_OUTPUTS })),
      into: optionalMember(variableNameShape),
    },
    exactlyOneRule('value', 'webtask'),
  ),
  { family: 'script', hasFailure: true },
)

/** All rows of a compilable at once. */
export const pipelineNode = defineNodeType(
  'data-manager/pipeline',
  objectShape(
    {
      compilable: requiredMember(referenceShape<string>('compilable')),
      arguments: expressionMapShape,
      into: requiredMember(variableNameShape),
    },
    compilableCallRule('compilable', false),
  ),
  { family: 'pipelines', hasFailure: true },
)

/** The first row of a pipeline. */
export const firstRowNode = defineNodeType(
  'data-table/pipeline',
  objectShape(
    {
      compilable: requiredMember(referenceShape<string>('pipeline')),
      arguments: expressionMapShape,
      into: optionalMember(variableNameShape),
      empty: optionalMember(targetNodeShape),
    },
    compilableCallRule('compilable', true),
  ),
  { family: 'pipelines', hasFailure: true },
)
