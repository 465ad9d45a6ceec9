import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AccountId } from '../lib/account.ts'
import type { SandboxChecks } from './sandbox/checking.ts'
import type { ProgramFlaw } from './sandbox/types.ts'
import { type DefinitionScripts, findScriptFlaws } from './script-flaws.ts'

const account = 1 as AccountId

/** Checks that find this, one time after the other; then nothing. */
function finding(...found: ProgramFlaw[][]): SandboxChecks & { times(): number } {
  let times = 0
  return {
    times: () => times,
    check: async () => found[times++] ?? [],
    parse: async () => [],
  }
}

const scriptsOf = (source: string) =>
  ({
    scripting: { environment: { capabilities: [] } },
    modules: [{ source, path: '/value' }],
    expressions: [],
    imported: new Map(),
  }) as unknown as DefinitionScripts

test('a text with known flaws is not checked again', async () => {
  const syntax = { type: 'syntax', part: 'script', name: null, message: 'unexpected token' } as const
  const checks = finding([syntax])
  for (let n = 0; n < 2; n++)
    assert.deepEqual(
      (await findScriptFlaws(checks, account, scriptsOf('export default ('))).map(({ type, path }) => [type, path]),
      [['syntax', '/value']],
    )
  assert.equal(checks.times(), 1)
})

test('a text whose check took too long is checked again', async () => {
  const limit = { type: 'limit', part: 'script', name: null, message: 'The text takes too long to parse.' } as const
  const checks = finding([limit])
  const scripts = scriptsOf('export default "long"')
  assert.deepEqual(
    (await findScriptFlaws(checks, account, scripts)).map(({ type }) => type),
    ['limit'],
  )
  assert.deepEqual(await findScriptFlaws(checks, account, scripts), [])
})
