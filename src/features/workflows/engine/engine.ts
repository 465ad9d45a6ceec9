import type { Context } from '../../../context.ts'
import { openScripts } from '../../../scripting/script-port.ts'
import type { SenderCache } from '../../../sending/prepare/sender-cache.ts'
import type { SendContext } from '../../notifications/sends/sends.ts'
import { compilablesForScripts } from '../../pipelines/execution/for-scripts.ts'
import { type ExecuteCompilable, type HostContext, openHost } from '../../script-host/context.ts'
import { shownContactIds } from '../../script-host/reads/contact-ids.ts'
import { openRunRecords } from '../../webtasks/executions/records.ts'
import { countCappings, giveBackFailed } from '../effects/capping.ts'
import { evaluateScripts } from '../effects/evaluate.ts'
import { chooseBranches } from '../effects/experiment.ts'
import { createHistory } from '../effects/history.ts'
import { endWaiting } from '../effects/kill-waiting.ts'
import { matchContacts } from '../effects/match.ts'
import { createPipelines } from '../effects/pipeline.ts'
import { publishEvents } from '../effects/publish.ts'
import { createRequests } from '../effects/request.ts'
import { takeSamples } from '../effects/sample.ts'
import { createScriptRuns } from '../effects/script.ts'
import { createSends } from '../effects/sends.ts'
import { createUpdateTargets } from '../effects/update-target.ts'
import { createWrites } from '../effects/writes.ts'
import { executeForScript } from '../starts/script-executions.ts'
import type { Performers } from '../stepping/effect-handlers.ts'
import type { Run } from '../stepping/run.ts'
import { surroundingsOf } from '../stepping/step-context.ts'
import { createLook } from '../waits/search-events.ts'
import { openAccounts } from './accounts.ts'
import type { EngineContext } from './context.ts'
import { openDefinitions } from './definitions.ts'
import { readContacts } from './run-contacts.ts'

/** What runs are read with. */
function openReading({ db, clock, sandbox }: Pick<Context, 'db' | 'clock' | 'sandbox'>, cache: SenderCache) {
  const contacts: EngineContext['contacts'] = (tx, keys) => readContacts(tx, cache, keys)
  const contact: Performers['contact'] = async (tx, drafts) => {
    const read = await contacts(
      tx,
      drafts.map(({ run }) => run),
    )
    return read.map((one) => one?.values ?? null)
  }
  const definitions = openDefinitions({ scripts: openScripts(sandbox) })
  const accounts = openAccounts(clock)
  const surroundings = (runs: readonly Run[], now: number) =>
    surroundingsOf({ db, accounts, contacts, definitions }, runs, now)
  return { contacts, contact, definitions, accounts, surroundings }
}

const engines = new WeakMap<Context, EngineContext>()

/** The engine of a process: what it caches and counts, such as calls under way, is there once. */
export function engineOf(context: Context): EngineContext {
  const known = engines.get(context) ?? openEngine(context)
  engines.set(context, known)
  return known
}

/** Opens what the engine of workflows works with. */
export function openEngine(
  context: SendContext & Pick<Context, 'sandbox' | 'masterKeys' | 'tracing'>,
  executeCompilable?: ExecuteCompilable,
): EngineContext {
  const { db, clock, log, sandbox, masterKeys, tracing } = context
  const host: HostContext = openHost(context, {
    executeCompilable: executeCompilable ?? compilablesForScripts(() => ({ host, sandbox })),
    executeWorkflow: (tx, asked) => executeForScript(engine, tx, asked),
  })
  const { fetcher, cache } = host
  const { contacts, contact, definitions, accounts, surroundings } = openReading({ db, clock, sandbox }, cache)
  const writes = createWrites(host)
  const records = openRunRecords(db)
  const sends = createSends(host.sends)
  const shown: EngineContext['shown'] = (own) => {
    const context = { sandbox, host: { ...host, fetcher: own, contactIds: shownContactIds } }
    return { script: createScriptRuns(context), pipeline: createPipelines(context) }
  }
  const performers: Performers = {
    contact,
    evaluate: evaluateScripts,
    look: createLook({ contact }),
    capping: countCappings,
    giveBack: giveBackFailed,
    prepares: { send: sends.prepare, writes: writes.prepare },
    reads: { match: matchContacts, history: createHistory({ contact, surroundings }) },
    calls: {
      request: createRequests({ fetcher, masterKeys, clock }),
      script: createScriptRuns({ sandbox, host, records }),
      pipeline: createPipelines({ sandbox, host }),
    },
    effects: {
      experiment: chooseBranches,
      writes: writes.perform,
      sample: takeSamples,
      killWaiting: endWaiting,
      updateTarget: createUpdateTargets(host.shapes),
      publish: publishEvents,
      send: sends.perform,
    },
  }
  const engine: EngineContext = {
    ...{ db, clock, log, sandbox, host, records, definitions, performers, shown, accounts, contacts, tracing },
  }
  return engine
}
