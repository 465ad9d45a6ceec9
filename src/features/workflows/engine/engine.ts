import type { ServiceContext } from '../../../context.ts'
import { createScriptEvaluators } from '../../../scripting/script-port.ts'
import type { SenderCache } from '../../../sending/prepare/sender-cache.ts'
import type { PushSendContext } from '../../notifications/sends/sends.ts'
import { createCompilableExecutor } from '../../pipelines/execution/for-scripts.ts'
import { type ExecuteCompilable, openScriptHost, type ScriptHostContext } from '../../script-host/context.ts'
import { previewContactIds } from '../../script-host/reads/contact-ids.ts'
import { openWebtaskRunRecorder } from '../../webtasks/executions/records.ts'
import { countVisitCappings, releaseFailedCappings } from '../effects/capping.ts'
import { evaluateRunScripts } from '../effects/evaluate.ts'
import { chooseExperimentBranches } from '../effects/experiment.ts'
import { createHistoryHandler } from '../effects/history.ts'
import { endWaitingRuns } from '../effects/kill-waiting.ts'
import { matchRunContacts } from '../effects/match.ts'
import { createPipelineHandler } from '../effects/pipeline.ts'
import { publishRunEvents } from '../effects/publish.ts'
import { createRequestHandler } from '../effects/request.ts'
import { countSampleVisits } from '../effects/sample.ts'
import { createScriptHandler } from '../effects/script.ts'
import { createSendHandler } from '../effects/sends.ts'
import { createUpdateTargetHandler } from '../effects/update-target.ts'
import { createScriptWriteHandler } from '../effects/writes.ts'
import type { EffectHandlers } from '../run-stepper/effect-handlers.ts'
import { loadStepContext } from '../run-stepper/load-step-context.ts'
import type { StoredRun } from '../run-stepper/run.ts'
import { executeWorkflowForScript } from '../starts/script-executions.ts'
import { createEventSearch } from '../waits/search-events.ts'
import { openAccountScopeCache } from './account-scopes.ts'
import { openReadyDefinitionCache } from './definition-cache.ts'
import type { WorkflowEngineContext } from './engine-context.ts'
import { readRunContacts } from './run-contacts.ts'

/** Opens the readers of run data. */
function openRunReaders({ db, clock, sandbox }: Pick<ServiceContext, 'db' | 'clock' | 'sandbox'>, cache: SenderCache) {
  const contacts: WorkflowEngineContext['contacts'] = (tx, keys) => readRunContacts(tx, cache, keys)
  const contact: EffectHandlers['contact'] = async (tx, drafts) => {
    const readContacts = await contacts(
      tx,
      drafts.map(({ run }) => run),
    )
    return readContacts.map((runContact) => runContact?.values ?? null)
  }
  const definitions = openReadyDefinitionCache({ scripts: createScriptEvaluators(sandbox) })
  const accounts = openAccountScopeCache(clock)
  const surroundings = (runs: readonly StoredRun[], now: number) =>
    loadStepContext({ db, accounts, contacts, definitions }, runs, now)
  return { contacts, contact, definitions, accounts, surroundings }
}

const engineByContext = new WeakMap<ServiceContext, WorkflowEngineContext>()

/** The engine of a process: what it caches and counts, such as calls under way, is there once. */
export function findWorkflowEngine(context: ServiceContext): WorkflowEngineContext {
  const existingEngine = engineByContext.get(context) ?? openWorkflowEngine(context)
  engineByContext.set(context, existingEngine)
  return existingEngine
}

/** Opens what the engine of workflows works with. */
export function openWorkflowEngine(
  context: PushSendContext & Pick<ServiceContext, 'sandbox' | 'masterKeys' | 'tracing'>,
  executeCompilable?: ExecuteCompilable,
): WorkflowEngineContext {
  const { db, clock, log, sandbox, masterKeys, tracing } = context
  const host: ScriptHostContext = openScriptHost(context, {
    executeCompilable: executeCompilable ?? createCompilableExecutor(() => ({ host, sandbox })),
    executeWorkflow: (tx, execution) => executeWorkflowForScript(engine, tx, execution),
  })
  const { fetcher, cache } = host
  const { contacts, contact, definitions, accounts, surroundings } = openRunReaders({ db, clock, sandbox }, cache)
  const writes = createScriptWriteHandler(host)
  const records = openWebtaskRunRecorder(db)
  const sends = createSendHandler(host.sends)
  const createPreviewCalls: WorkflowEngineContext['shown'] = (previewFetcher) => {
    const context = { sandbox, host: { ...host, fetcher: previewFetcher, contactIds: previewContactIds } }
    return { script: createScriptHandler(context), pipeline: createPipelineHandler(context) }
  }
  const performers: EffectHandlers = {
    contact,
    evaluate: evaluateRunScripts,
    searchEvents: createEventSearch({ contact }),
    capping: countVisitCappings,
    giveBack: releaseFailedCappings,
    prepares: { send: sends.prepare, writes: writes.prepare },
    reads: { match: matchRunContacts, history: createHistoryHandler({ contact, surroundings }) },
    calls: {
      request: createRequestHandler({ fetcher, masterKeys, clock }),
      script: createScriptHandler({ sandbox, host, records }),
      pipeline: createPipelineHandler({ sandbox, host }),
    },
    effects: {
      experiment: chooseExperimentBranches,
      writes: writes.perform,
      sample: countSampleVisits,
      killWaiting: endWaitingRuns,
      updateTarget: createUpdateTargetHandler(host.shapes),
      publish: publishRunEvents,
      send: sends.perform,
    },
  }
  const engine: WorkflowEngineContext = {
    db,
    clock,
    log,
    sandbox,
    host,
    records,
    definitions,
    performers,
    shown: createPreviewCalls,
    accounts,
    contacts,
    tracing,
  }
  return engine
}
