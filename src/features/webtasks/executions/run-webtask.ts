import type { SandboxRunResult } from '../../../scripting/sandbox/types.ts'
import {
  type ObjectScript,
  type ObjectScriptRun,
  runObjectScript,
  type ScriptContext,
} from '../../script-host/object-scripts.ts'
import { readScriptContact } from '../../script-host/reads/contact-reads.ts'
import type { ScriptWriteCaller } from '../../script-host/writes/write-types.ts'
import { loadImportedWebtasks, type StoredWebtask } from '../stored.ts'
import type { PublicWebtaskRequest, WebtaskRunRequest } from './items.ts'

/** A webtask with what it imports. */
export interface PreparedWebtask {
  webtask: StoredWebtask
  script: ObjectScript
}

/** Makes a webtask ready to be run. */
export async function prepareWebtask(
  { host: { db } }: ScriptContext,
  webtask: StoredWebtask,
): Promise<PreparedWebtask> {
  const { account, source, scripting, settings } = webtask
  const imported = await loadImportedWebtasks(db, account, scripting)
  return { webtask, script: { account, source, scripting, imported, limits: settings } }
}

/** Caller that the writes of a run are attributed to. */
export function createWebtaskCaller(
  { account, id }: StoredWebtask,
  { receiver, stamp }: WebtaskRunRequest,
  now: number,
): ScriptWriteCaller {
  return { account, origin: { type: 'webtask', id }, depth: 0, contact: receiver, stamp, workflow: null, now }
}

/** Runs a webtask. What it writes is not done yet. */
export async function runWebtask(
  context: ScriptContext,
  { webtask: { account, id }, script }: PreparedWebtask,
  { receiver, related, data, variables, event, stamp, ...runFields }: WebtaskRunRequest,
  { sent: publicRequest, onLog }: { sent: PublicWebtaskRequest | null; onLog: ObjectScriptRun['onLog'] },
): Promise<SandboxRunResult> {
  const { host } = context
  const [contact, relatedContact] = await Promise.all(
    [receiver, related].map((contactId) => readScriptContact(host, account, contactId)),
  )
  return runObjectScript(context, script, {
    input: { data, variables, arguments: {}, contact, related: relatedContact, event, stamp, public: publicRequest },
    seed: `${account}:webtask ${id}:${runFields.id}`,
    now: host.clock.now(),
    onLog,
  })
}
