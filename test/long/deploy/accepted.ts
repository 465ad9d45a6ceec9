import assert from 'node:assert/strict'
import { type ProcessRole, processRoles } from '../../../src/config.ts'
import { runProgram } from '../../support/processes/process.ts'
import { ROOT } from './checkout.ts'

/** The roles that words of the command line name: those after `--role`, all without it. */
export function rolesOf(words: readonly string[]): ProcessRole[] {
  const at = words.indexOf('--role')
  return processRoles.filter((role) => at < 0 || words[at + 1]?.split(',').includes(role))
}

/** Starts the program with these words and a data directory that cannot be made: it must get as far as that, and say so. */
export async function assertAccepted(words: readonly string[]): Promise<void> {
  const { status, errors } = await runProgram(words, { STENTOR_DATA_DIR: `${ROOT}package.json/data` })
  assert.equal(status, 1)
  assert.match(errors, /^stentor: STENTOR_DATA_DIR: .* cannot be created/m, `${words.join(' ')}: ${errors}`)
}
