import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { inTransaction } from '../../../src/database/connection/connect.ts'
import { appendEvents } from '../../../src/features/events/record/append.ts'
import type { ExecuteCompilable } from '../../../src/features/script-host/context.ts'
import { createScriptHost, type ScriptHostCaller } from '../../../src/features/script-host/host.ts'
import { runScriptOnHost } from '../../../src/features/script-host/run-script.ts'
import type { RefusedScriptWrites, ScriptWriteCaller } from '../../../src/features/script-host/writes/write-types.ts'
import { applyScriptWrites, prepareScriptWrites } from '../../../src/features/script-host/writes/writes.ts'
import { openWorkflowEngine } from '../../../src/features/workflows/engine/engine.ts'
import { type ScriptCapability, sandboxCapabilityNames } from '../../../src/scripting/sandbox/functions.ts'
import type { ScriptError } from '../../../src/scripting/sandbox/types.ts'
import type { Harness } from '../harness.ts'

export interface Performing extends Partial<Pick<ScriptWriteCaller, 'depth' | 'contact' | 'workflow'>> {
  /** All by default. */
  capabilities?: readonly ScriptCapability[]
  /** What the script is called with. */
  input?: unknown
  /** Two runs of one seed make the same ids. */
  seed?: string
  http?: ScriptHostCaller['http']
  /** Of compilables. */
  compilables?: number
  account?: number
}

// biome-ignore lint/suspicious/noExplicitAny: a test reads any member of a value.
type Value = any

/** How a script went: its value with its writes applied, its own error, or why its writes were not applied. */
export type Performed = { type: 'success'; value: Value } | { type: 'error'; value: ScriptError } | RefusedScriptWrites

/** Runs scripts as a webtask does, in the process of a harness. */
export function scriptHost({ context, own, clock, crossSomewhere }: Harness, executeCompilable?: ExecuteCompilable) {
  const engine = openWorkflowEngine(context, executeCompilable)
  const { host, sandbox } = engine
  const stamp = { id: randomUUID(), thread: randomUUID(), set: randomUUID(), time: clock.now() }

  /** `body`: of the function of a script; `input` is its argument. */
  async function perform(body: string, given: Performing = {}): Promise<Performed> {
    const { capabilities = sandboxCapabilityNames, input = {}, seed = randomUUID(), compilables = 0 } = given
    const { account = own.account, depth = 0, contact = null, workflow = null } = given
    await crossSomewhere()
    const now = clock.now()
    const http = given.http ?? { allow: [], secrets: new Map() }
    const result = await runScriptOnHost({ sandbox, contactIds: host.contactIds }, programOf(body), {
      account,
      seed,
      input,
      capabilities,
      cpuMs: 1000,
      wallMs: 60_000,
      host: createScriptHost(host, { account, now, http, depth: compilables }),
    })
    if (result.type === 'error') return { type: 'error', value: result.error }
    const caller: ScriptWriteCaller = {
      account,
      depth,
      contact,
      workflow,
      now,
      stamp,
      origin: { type: 'webtask', id: 7 },
    }
    const prepared = await prepareScriptWrites(host, caller, result.writes)
    const applied = await inTransaction(context.db, async (tx) => {
      const answer = await applyScriptWrites(tx, host, caller, prepared)
      if (answer.type === 'applied') await appendEvents(tx, answer.events)
      return answer
    })
    return applied.type === 'applied' ? { type: 'success', value: result.value } : applied
  }

  return {
    engine,
    host,
    stamp,
    perform,
    /** The value of a script whose writes were applied. */
    async value(body: string, given: Performing = {}): Promise<Value> {
      const performed = await perform(body, given)
      assert.equal(performed.type, 'success', JSON.stringify(performed))
      return (performed as { value: Value }).value
    },
    /** Why writes were not applied: the call, its function, status and kind of the problem. */
    async refused(body: string, given: Performing = {}): Promise<[number, string, number, string]> {
      const performed = await perform(body, given)
      assert.equal(performed.type, 'refused', JSON.stringify(performed))
      const { call, name, problem } = performed as RefusedScriptWrites
      return [call, name, problem.status, problem.kind]
    },
    /** The error of a script. */
    async error(body: string, given: Performing = {}): Promise<ScriptError> {
      const performed = await perform(body, given)
      assert.equal(performed.type, 'error', JSON.stringify(performed))
      return (performed as { value: ScriptError }).value
    },
  }
}

const programOf = (body: string) => ({ source: `export default async (input) => { ${body} }` })
