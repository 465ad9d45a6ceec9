import type { Db } from '../../../database/connection/connect.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import type { SandboxRunResult } from '../../../scripting/sandbox/types.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { type ObjectScript, runObjectScript, type ScriptContext } from '../../script-host/object-scripts.ts'
import { readScriptContact } from '../../script-host/reads/contact-reads.ts'
import { hasRunStarted, type WebtaskRunRecord, type WebtaskRunRecorder } from '../../webtasks/executions/records.ts'
import { findWebtask, loadImportedWebtasks } from '../../webtasks/stored.ts'
import { type ScriptEffectAnswer, StepFailure } from '../nodes/node-contract.ts'
import type { EffectHandlers, NodeEffectRequest } from '../run-stepper/effect-handlers.ts'
import { formatVisitKey } from './visit-key.ts'

/** Dependencies of node scripts. `records` stores the runs of webtasks. */
export interface NodeScriptContext extends ScriptContext {
  records?: WebtaskRunRecorder
}

/** Limits of a script that no webtask sets others for. */
const DEFAULT_SCRIPT_LIMITS = { cpuMs: 1000, wallMs: 10_000 }

type ScriptRequest = NodeEffectRequest<'script'>

/** The script of a node, or of the webtask that it names, as it is now; undefined: there is no such webtask. */
async function loadNodeScript(
  db: Db,
  { draft, asked: effect, visit }: ScriptRequest,
): Promise<(ObjectScript & { logs: boolean }) | undefined> {
  const { account } = visit
  const { webtask: id, source } = effect
  const webtask = id === null ? undefined : await findWebtask(db, { account, id })
  if (webtask === undefined && source === null) return undefined
  const inlineScript = {
    source: source ?? '',
    scripting: draft.definition.scripting,
    settings: { ...DEFAULT_SCRIPT_LIMITS, logs: true },
  }
  const { scripting, settings: limits, source: text } = webtask ?? inlineScript
  const importedWebtasks = await loadImportedWebtasks(db, account, scripting)
  return { account, source: text, scripting, imported: importedWebtasks, limits, logs: limits.logs }
}

/** Builds the input of a script's function. */
async function buildScriptInput({ host }: ScriptContext, db: Db, { draft, asked: effect, visit }: ScriptRequest) {
  const { run } = draft
  return {
    data: run.data,
    variables: run.variables,
    arguments: effect.arguments,
    contact: await readScriptContact({ db, cache: host.cache }, visit.account, visit.contact),
    related: null,
    event: run.event,
    stamp: visit.stamp,
    public: null,
  }
}

/** Builds the stored record of a webtask run. */
function buildRunRecord(
  { asked: effect, visit }: ScriptRequest,
  result: SandboxRunResult,
  { at, durationMs }: { at: number; durationMs: number },
): WebtaskRunRecord {
  const { account, workflow, contact } = visit
  return {
    webtask: { account, id: effect.webtask! },
    id: createNamedUuid('webtask', formatVisitKey(visit), visit.attempt),
    at,
    origin: { type: 'workflow', id: workflow },
    contacts: contact === null ? [] : [contact],
    outcome: result.type,
    durationMs,
    error: result.type === 'error' ? result.error : null,
    logs: result.logs,
  }
}

/** Runs the scripts of nodes. What they write is not done yet. */
export function createScriptHandler(context: NodeScriptContext): NonNullable<EffectHandlers['calls']['script']> {
  return async (db, request, now): Promise<ScriptEffectAnswer | StepFailure> => {
    const { asked: effect, visit } = request
    const nodeScript = await loadNodeScript(db, request)
    if (!nodeScript) return new StepFailure('unknown-reference', `There is no webtask ${effect.webtask}.`)
    const key = formatVisitKey(visit)
    const startedAt = performance.now()
    const scriptInput = await buildScriptInput(context, db, request)
    const scriptRun = await runObjectScript(context, nodeScript, {
      input: scriptInput,
      seed: key,
      now,
      idempotencyKey: key,
    })
    const result = nodeScript.logs ? scriptRun : { ...scriptRun, logs: [] }
    const durationMs = Math.round(performance.now() - startedAt)
    const mustRecord = effect.webtask !== null && (result.type === 'success' || hasRunStarted(result.error))
    if (mustRecord) await context.records?.add(buildRunRecord(request, result, { at: now, durationMs }))
    if (result.type === 'success') return result
    const { type, message, isTransient } = new ScriptFailure(result.error)
    return new StepFailure(type, message, { isTransient })
  }
}
