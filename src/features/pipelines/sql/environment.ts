import type { Db } from '../../../database/connection/connect.ts'
import type { AccountId } from '../../../lib/account.ts'
import type { DefinitionExpression } from '../../../scripting/expressions/expression-types.ts'
import { parseExpressionPath } from '../../../scripting/expressions/paths.ts'
import type { UsedCompilables } from '../checks/pushable.ts'
import type { OperandContext } from '../values/operators.ts'
import { NULL_CELL, readCellPath, type SqlCell } from './cells.ts'
import { cellToJsonSql } from './json.ts'
import type { SqlAliasGenerator } from './relation.ts'

/** Context for translating a pipeline. */
export interface PipelineEnvironment extends OperandContext {
  db: Db
  account: AccountId
  used: UsedCompilables
  name: SqlAliasGenerator
  /** Arguments of the pipeline, defaults filled in. */
  arguments: Readonly<Record<string, unknown>>
  /** It is read by another pipeline: its arguments are not those of the request. */
  isInner?: boolean
  /** The value of an expression that sees no row. */
  evaluate(expression: DefinitionExpression, environment: PipelineEnvironment): Promise<unknown>
}

/** The present as rows have it. */
export const formatPresent = ({ present }: OperandContext): string => new Date(present.now).toISOString()

/** Roots of an expression's paths, in addition to the arguments and the current time. */
export interface RootCells {
  row?: SqlCell
  other?: SqlCell
}

/** An expression of a cursor as it is computed. */
export function translateExpression(
  { type, value }: DefinitionExpression,
  roots: RootCells,
  environment: PipelineEnvironment,
): SqlCell {
  if (type === 'literal') return { kind: 'constant', value }
  if (type !== 'path') throw new Error('Only literals and paths are translated.')
  const [root = '', ...steps] = parseExpressionPath(value)
  if (root === 'arguments')
    return readCellPath({ kind: 'constant', value: environment.arguments }, steps, cellToJsonSql)
  if (root === 'now') return readCellPath({ kind: 'constant', value: formatPresent(environment) }, steps, cellToJsonSql)
  const cell = root === 'row' ? roots.row : root === 'other' ? roots.other : undefined
  return cell ? readCellPath(cell, steps, cellToJsonSql) : NULL_CELL
}
