import { type Static, Type } from 'typebox'

const flawTypes = [
  'syntax',
  'missing-export',
  'unknown-filter',
  'unknown-variable',
  'unknown-field',
  'unknown-reference',
  'type-mismatch',
  'missing-setting',
  'ambiguous-setting',
  'missing-parameter',
  'unused-parameter',
  'missing-capability',
  'forbidden-host',
  'flawed-reference',
  'not-sendable',
  'no-node',
  'cycle',
  'weights',
  'duplicate-entry',
  'missing-entry',
  'unreachable',
  'never-fires',
  'goal-as-target',
  'recursion',
  'limit',
  'in-memory',
] as const
export type FlawType = (typeof flawTypes)[number]

const FlawPosition = Type.Object({
  line: Type.Integer({ minimum: 1, description: 'Line in the text, from 1.' }),
  column: Type.Integer({ minimum: 1, description: 'Column in the line, from 1.' }),
  length: Type.Integer({ minimum: 0, description: 'Number of characters.' }),
})
/** Within a text, from 1. */
export type FlawPosition = Static<typeof FlawPosition>

/** Something in a definition that is stored and keeps it from being used, or may do so. */
export const DefinitionFlaw = Type.Object({
  type: Type.Enum([...flawTypes], {
    description:
      'Type of the flaw. `syntax`: a script, template or expression does not parse. `missing-export`: a script ' +
      'exports no function. `unknown-…`: a name that does not exist. `type-mismatch`: a value of the wrong type. ' +
      '`missing-…`: something required is absent. `ambiguous-setting`: settings that exclude each other. ' +
      '`unused-parameter`: an argument without a parameter. `forbidden-host`: an address that `http.allow` does not ' +
      'list. `flawed-reference`: an object that has flaws itself. `not-sendable`: an action or notification that is ' +
      'not in its sending state. `no-node`: a workflow without nodes. `cycle`: nodes that lead to each other without ' +
      'a pause. `weights`: shares whose sum is not 100. `duplicate-entry`, `missing-entry`: two default nodes, or ' +
      'none. `unreachable`: a node that nothing leads to. `never-fires`: a scheduler without a date. ' +
      '`goal-as-target`: a node that leads to a goal. `recursion`: objects that use each other. `limit`: too large or ' +
      'too deep. `in-memory`: a step that the database cannot perform.',
  }),
  severity: Type.Enum(['error', 'warning'], {
    description: '`error`: prevents the definition from being used. `warning`: does not.',
  }),
  message: Type.String({ description: 'Explanation of the flaw.' }),
  path: Type.String({ description: 'JSON pointer from the root of the resource.' }),
  position: Type.Optional({ ...FlawPosition, description: 'Position within the text at `path`.' }),
})
export type DefinitionFlaw = Static<typeof DefinitionFlaw>

export const DefinitionFlaws = Type.Array(DefinitionFlaw)
