import type { Db } from '../../../database/connection/connect.ts'
import { createNamedUuid } from '../../../lib/ids.ts'
import type { SandboxRunResult } from '../../../scripting/sandbox/types.ts'
import { ScriptFailure } from '../../../scripting/script-port.ts'
import { type ObjectScript, runObjectScript, type ScriptContext } from '../../script-host/object-scripts.ts'
import { readScriptContact } from '../../script-host/reads/contact-reads.ts'
import { hasRunStarted, type WebtaskRunRecord, type WebtaskRunRecorder } from '../../webtasks/executions/records.ts'
import { findWebtask, loadImportedWebtasks } from '../../webtasks/stored.ts'
import type { EffectHandlers, NodeEffectRequest } from '../stepping/effect-handlers.ts'
import { type ScriptEffectAnswer, StepFailure } from '../stepping/step.ts'
import { formatVisitKey } from './visit-key.ts'

/** What the scripts of nodes run with. `records`: where runs of webtasks are kept. */
export interface NodeScriptContext extends ScriptContext {
  records?: WebtaskRunRecorder
}

/** Limits of a script that no webtask sets others for. */
const LIMITS = { cpuMs: 1000, wallMs: 10_000 }

type ScriptRequest = NodeEffectRequest<'script'>

/** The script of a node, or of the webtask that it names, as it is now; undefined: there is no such webtask. */
async function scriptOf(
  db: Db,
  { draft, asked, visit }: ScriptRequest,
): Promise<(ObjectScript & { logs: boolean }) | undefined> {
  const { account } = visit
  const { webtask: id, source } = asked
  const webtask = id === null ? undefined : await findWebtask(db, { account, id })
  if (webtask === undefined && source === null) return undefined
  const own = { source: source ?? '', scripting: draft.definition.scripting, settings: { ...LIMITS, logs: true } }
  const { scripting, settings: limits, source: text } = webtask ?? own
  const imported = await loadImportedWebtasks(db, account, scripting)
  return { account, source: text, scripting, imported, limits, logs: limits.logs }
}

/** What the function of a script is called with. */
async function inputOf({ host }: ScriptContext, db: Db, { draft, asked, visit }: ScriptRequest) {
  const { run } = draft
  return {
    ...{ data: run.data, variables: run.variables, arguments: asked.arguments },
    contact: await readScriptContact({ db, cache: host.cache }, visit.account, visit.contact),
    ...{ related: null, event: run.event, stamp: visit.stamp, public: null },
  }
}

/** What is kept of a run of a webtask. */
function recordOf(
  { asked, visit }: ScriptRequest,
  result: SandboxRunResult,
  { at, durationMs }: { at: number; durationMs: number },
): WebtaskRunRecord {
  const { account, workflow, contact } = visit
  return {
    webtask: { account, id: asked.webtask! },
    id: createNamedUuid('webtask', formatVisitKey(visit), visit.attempt),
    ...{ at, origin: { type: 'workflow', id: workflow }, contacts: contact === null ? [] : [contact] },
    ...{ outcome: result.type, durationMs, error: result.type === 'error' ? result.error : null, logs: result.logs },
  }
}

/** Runs the scripts of nodes. What they write is not done yet. */
export function createScriptHandler(context: NodeScriptContext): NonNullable<EffectHandlers['calls']['script']> {
  return async (db, request, now): Promise<ScriptEffectAnswer | StepFailure> => {
    const { asked, visit } = request
    const script = await scriptOf(db, request)
    if (!script) return new StepFailure('unknown-reference', `There is no webtask ${asked.webtask}.`)
    const key = formatVisitKey(visit)
    const begun = performance.now()
    const input = await inputOf(context, db, request)
    const ran = await runObjectScript(context, script, { input, seed: key, now, idempotencyKey: key })
    const result = script.logs ? ran : { ...ran, logs: [] }
    const durationMs = Math.round(performance.now() - begun)
    const isKept = asked.webtask !== null && (result.type === 'success' || hasRunStarted(result.error))
    if (isKept) await context.records?.add(recordOf(request, result, { at: now, durationMs }))
    if (result.type === 'success') return result
    const { type, message, isTransient } = new ScriptFailure(result.error)
    return new StepFailure(type, message, { isTransient })
  }
}
