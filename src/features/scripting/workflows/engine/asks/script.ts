import type { Context } from '../../../../../context.ts'
import type { Db } from '../../../../../database/connect.ts'
import type { SenderCache } from '../../../../../outbox/sender-cache.ts'
import type { Fetcher } from '../../../fetch/fetcher.ts'
import { scriptFetch } from '../../../fetch/script-fetch.ts'
import { scriptContact } from '../../../host/contacts.ts'
import { reads } from '../../../host/reads.ts'
import { type Capability, capabilityNames } from '../../../sandbox/functions.ts'
import { type Host, HostError } from '../../../sandbox/types.ts'
import { commonModules } from '../../../script-flaws.ts'
import { ScriptFailure } from '../../../script-port.ts'
import type { NodeRequest, Performers } from '../performers.ts'
import { type ScriptAnswer, StepFailure } from '../step.ts'
import { policyOf, visitKey } from './policies.ts'

export interface ScriptContext extends Pick<Context, 'masterKeys' | 'sandbox'> {
  fetcher: Fetcher
  cache: SenderCache
}

/** Limits of a script that no webtask sets others for. */
const LIMITS = { cpuMs: 1000, wallMs: 10_000 }

type ScriptRequest = NodeRequest<'script'>

/** Answers what a script of a node reads and fetches. */
function hostOf(
  { fetcher, masterKeys, cache }: ScriptContext,
  { db, now }: { db: Db; now: number },
  { draft, visit }: ScriptRequest,
): Host {
  const { account } = visit
  return {
    async call({ name, args, number }, signal) {
      if (name === 'http.fetch') {
        const policy = { ...policyOf(masterKeys, draft.definition), idempotencyKey: `${visitKey(visit)}:${number}` }
        return scriptFetch(fetcher, args, policy, signal)
      }
      const read = reads.get(name)
      if (!read) throw new HostError(`${name} cannot be called here.`)
      return read({ db, cache, account, now }, args)
    },
  }
}

const isCapability = (name: string): name is Capability => (capabilityNames as string[]).includes(name)

/** What the function of a script is called with. */
async function inputOf(context: ScriptContext, db: Db, { draft, asked, visit }: ScriptRequest) {
  const { run, definition } = draft
  return {
    ...{ data: run.data, variables: run.variables, arguments: asked.arguments },
    contact: await scriptContact({ db, cache: context.cache }, visit.account, visit.contact),
    ...{ related: null, event: run.event, stamp: visit.stamp, environment: definition.environment, public: null },
  }
}

/** Runs the scripts of nodes. What they write is not done yet. */
export function createScriptRuns(context: ScriptContext): Performers['calls']['script'] {
  return async (db, request, now): Promise<ScriptAnswer | StepFailure> => {
    const { draft, asked, visit } = request
    const { scripting, environment } = draft.definition
    if (asked.source === null) return new StepFailure('unknown-reference', `There is no webtask ${asked.webtask}.`)
    const result = await context.sandbox.run(
      { source: asked.source, ...commonModules(scripting) },
      {
        ...{ account: visit.account, seed: visitKey(visit), ...LIMITS },
        input: await inputOf(context, db, request),
        globals: { environment },
        capabilities: (scripting.environment.capabilities ?? []).filter(isCapability),
        host: hostOf(context, { db, now }, request),
      },
    )
    if (result.type === 'success') return result
    const { type, message, isTransient } = new ScriptFailure(result.error)
    return new StepFailure(type, message, { isTransient })
  }
}
