import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { Expression } from '../../../scripting/expressions/expression-types.ts'
import { parsePath } from '../../../scripting/expressions/paths.ts'
import type { Used } from '../checks/pushable.ts'
import type { Reading } from '../values/operators.ts'
import { type Cell, cellAt, NULL } from './cells.ts'
import { jsonOf } from './json.ts'
import type { Namer } from './relation.ts'

/** What a pipeline is translated with. */
export interface Environment extends Reading {
  db: Db
  account: AccountId
  used: Used
  name: Namer
  /** Arguments of the pipeline, defaults filled in. */
  arguments: Readonly<Record<string, unknown>>
  /** It is read by another pipeline: its arguments are not those of the request. */
  isInner?: boolean
  /** The value of an expression that sees no row. */
  evaluate(expression: Expression, environment: Environment): Promise<unknown>
}

/** The present as rows have it. */
export const nowOf = ({ present }: Reading): string => new Date(present.now).toISOString()

/** What paths of an expression begin with, beside arguments and the present. */
export interface Roots {
  row?: Cell
  other?: Cell
}

/** An expression of a cursor as it is computed. */
export function expressionCell({ type, value }: Expression, roots: Roots, environment: Environment): Cell {
  if (type === 'literal') return { kind: 'constant', value }
  if (type !== 'path') throw new Error('Only literals and paths are translated.')
  const [root = '', ...steps] = parsePath(value)
  if (root === 'arguments') return cellAt({ kind: 'constant', value: environment.arguments }, steps, jsonOf)
  if (root === 'now') return cellAt({ kind: 'constant', value: nowOf(environment) }, steps, jsonOf)
  const cell = root === 'row' ? roots.row : root === 'other' ? roots.other : undefined
  return cell ? cellAt(cell, steps, jsonOf) : NULL
}
