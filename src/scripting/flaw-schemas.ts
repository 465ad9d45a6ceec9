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
  type: Type.Enum([...flawTypes], { description: 'Type of the flaw.' }),
  severity: Type.Enum(['error', 'warning'], {
    description: '`error`: prevents the definition from being used. `warning`: does not.',
  }),
  message: Type.String({ description: 'Explanation of the flaw.' }),
  path: Type.String({ description: 'JSON pointer from the root of the resource.' }),
  position: Type.Optional({ ...FlawPosition, description: 'Position within the text at `path`.' }),
})
export type DefinitionFlaw = Static<typeof DefinitionFlaw>

export const DefinitionFlaws = Type.Array(DefinitionFlaw)
