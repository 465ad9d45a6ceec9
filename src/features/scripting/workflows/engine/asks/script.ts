import type { Context } from '../../../../../context.ts'
import type { Db } from '../../../../../database/connect.ts'
import { scriptContact } from '../../../host/contacts.ts'
import type { HostContext } from '../../../host/context.ts'
import { type HostCaller, hostOf } from '../../../host/host.ts'
import { runScript } from '../../../host/run-script.ts'
import { type Capability, capabilityNames } from '../../../sandbox/functions.ts'
import { commonModules } from '../../../script-flaws.ts'
import { ScriptFailure } from '../../../script-port.ts'
import type { NodeRequest, Performers } from '../performers.ts'
import { type ScriptAnswer, StepFailure } from '../step.ts'
import { policyOf, visitKey } from './policies.ts'

export interface ScriptContext extends Pick<Context, 'sandbox'> {
  host: HostContext
}

/** Limits of a script that no webtask sets others for. */
const LIMITS = { cpuMs: 1000, wallMs: 10_000 }

type ScriptRequest = NodeRequest<'script'>

/** Whose script a node's is. */
function callerOf({ masterKeys }: HostContext, { draft, visit }: ScriptRequest, now: number): HostCaller {
  const http = { ...policyOf(masterKeys, draft.definition), idempotencyKey: visitKey(visit) }
  return { account: visit.account, now, http, depth: 0 }
}

const isCapability = (name: string): name is Capability => (capabilityNames as string[]).includes(name)

/** What the function of a script is called with. */
async function inputOf({ host }: ScriptContext, db: Db, { draft, asked, visit }: ScriptRequest) {
  const { run, definition } = draft
  return {
    ...{ data: run.data, variables: run.variables, arguments: asked.arguments },
    contact: await scriptContact({ db, cache: host.cache }, visit.account, visit.contact),
    ...{ related: null, event: run.event, stamp: visit.stamp, environment: definition.environment, public: null },
  }
}

/** Runs the scripts of nodes; what they write is applied in the transaction of the step. */
export function createScriptRuns(context: ScriptContext): NonNullable<Performers['calls']['script']> {
  return async (db, request, now): Promise<ScriptAnswer | StepFailure> => {
    const { draft, asked, visit } = request
    const { scripting, environment } = draft.definition
    if (asked.source === null) return new StepFailure('unknown-reference', `There is no webtask ${asked.webtask}.`)
    const { sandbox, host } = context
    const result = await runScript(
      { sandbox, contactIds: host.contactIds },
      { source: asked.source, ...commonModules(scripting) },
      {
        ...{ account: visit.account, seed: visitKey(visit), ...LIMITS },
        input: await inputOf(context, db, request),
        globals: { environment },
        capabilities: (scripting.environment.capabilities ?? []).filter(isCapability),
        host: hostOf(host, callerOf(host, request, now)),
      },
    )
    if (result.type === 'success') return result
    const { type, message, isTransient } = new ScriptFailure(result.error)
    return new StepFailure(type, message, { isTransient })
  }
}
