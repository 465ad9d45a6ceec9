import type { Context } from '../../../../context.ts'
import type { SenderCache } from '../../../../sending/prepare/sender-cache.ts'
import type { SendContext } from '../../../notifications/sends.ts'
import { compilablesForScripts } from '../../compilables/execution/for-scripts.ts'
import { shownContactIds } from '../../host/contact-ids.ts'
import { type ExecuteCompilable, type HostContext, openHost } from '../../host/context.ts'
import { openScripts } from '../../script-port.ts'
import { openRunRecords } from '../../webtasks/records.ts'
import { openAccounts } from './accounts.ts'
import { countCappings, giveBackFailed } from './asks/capping.ts'
import { evaluateScripts } from './asks/evaluate.ts'
import { chooseBranches } from './asks/experiment.ts'
import { createHistory } from './asks/history.ts'
import { endWaiting } from './asks/kill-waiting.ts'
import { matchContacts } from './asks/match.ts'
import { createPipelines } from './asks/pipeline.ts'
import { publishEvents } from './asks/publish.ts'
import { createRequests } from './asks/request.ts'
import { takeSamples } from './asks/sample.ts'
import { createScriptRuns } from './asks/script.ts'
import { createSends } from './asks/sends.ts'
import { createUpdateTargets } from './asks/update-target.ts'
import { createWrites } from './asks/writes.ts'
import { readContacts } from './contacts.ts'
import type { EngineContext } from './context.ts'
import { openDefinitions } from './definitions.ts'
import { createLook } from './look.ts'
import type { Performers } from './performers.ts'
import type { Run } from './run.ts'
import { executeForScript } from './script-executions.ts'
import { surroundingsOf } from './surroundings.ts'

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
