import type { PathFlaw } from '../../../scripting/expressions/expression-types.ts'
import type { RootTypes } from './row-types.ts'
import type { ValueType } from './value-types.ts'

/** Why a path leads nowhere by what is known of its roots: to a parameter or a field that there is not. */
export function findTypedPathFlaw(
  [root = '', ...steps]: readonly (string | undefined)[],
  roots: RootTypes,
): PathFlaw | undefined {
  let type: ValueType | undefined = Object.hasOwn(roots, root) ? roots[root] : undefined
  const [rootName] = steps
  if (root === 'arguments' && rootName !== undefined && type?.kind === 'object' && !type.members.has(rootName))
    return { type: 'unknown-variable', message: `There is no parameter ${JSON.stringify(rootName)}.` }
  for (const step of steps) {
    if (step === undefined || type?.kind !== 'object') return undefined
    if (type.isFields && !type.members.has(step))
      return { type: 'unknown-field', message: `There is no field ${JSON.stringify(step)}.` }
    type = type.members.get(step)
  }
  return undefined
}
