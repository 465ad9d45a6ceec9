import { Problem } from '../../../lib/errors/problem.ts'

/** Why an item of an execution was not performed, as its answer says it. */
export interface ExecutionItemError {
  type: string
  message?: string
  reason?: string
  id?: string | null
}

const errorTexts: Readonly<Record<string, string>> = {
  'recipient not found': 'No contact matches the receiver of the item.',
  'related not found': 'No contact matches the second receiver of the item.',
  're-entry refused': 'The rules of the workflow refuse the run',
  'run not waiting': 'No open run waits for the resolutions of the item.',
  'run id used': 'The run has ended, or belongs to another workflow or contact.',
  'run too large': 'Data, state, variables and event of the run are larger than 256 KB.',
  busy: 'The account has too many open runs.',
}

const errorStatuses: Readonly<Record<string, number>> = {
  'recipient not found': 404,
  'related not found': 404,
  busy: 503,
  're-entry refused': 409,
  'run not waiting': 409,
  'run id used': 409,
}

/**
 * Converts an item's error to the problem that a script receives. The script was already answered that the item is performed, with its id.
 */
export function toItemProblem({ type, message, reason }: ExecutionItemError): Problem {
  const kind = type.replaceAll(' ', '-')
  const detail = message ?? errorTexts[type] ?? type
  return new Problem(errorStatuses[type] ?? 400, kind, reason === undefined ? detail : `${detail}: ${reason}.`)
}
