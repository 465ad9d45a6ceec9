import type { RunResult } from '../../../scripting/sandbox/types.ts'
import {
  type ObjectScript,
  runObjectScript,
  type ScriptContext,
  type ScriptRun,
} from '../../script-host/object-scripts.ts'
import { scriptContact } from '../../script-host/reads/contact-reads.ts'
import type { WriteCaller } from '../../script-host/writes/write-types.ts'
import { loadImported, type StoredWebtask } from '../stored.ts'
import type { AskedRun, PublicRequest } from './items.ts'

/** A webtask with what it imports. */
export interface ReadyWebtask {
  webtask: StoredWebtask
  script: ObjectScript
}

/** Makes a webtask ready to be run. */
export async function readyWebtask({ host: { db } }: ScriptContext, webtask: StoredWebtask): Promise<ReadyWebtask> {
  const { account, source, scripting, settings } = webtask
  const imported = await loadImported(db, account, scripting)
  return { webtask, script: { account, source, scripting, imported, limits: settings } }
}

/** Whose writes those of a run are. */
export function writesOf({ account, id }: StoredWebtask, { receiver, stamp }: AskedRun, now: number): WriteCaller {
  return { account, origin: { type: 'webtask', id }, depth: 0, contact: receiver, stamp, workflow: null, now }
}

/** Runs a webtask. What it writes is not done yet. */
export async function runWebtask(
  context: ScriptContext,
  { webtask: { account, id }, script }: ReadyWebtask,
  { receiver, related, data, variables, event, stamp, ...asked }: AskedRun,
  { sent, onLog }: { sent: PublicRequest | null; onLog: ScriptRun['onLog'] },
): Promise<RunResult> {
  const { host } = context
  const [contact, relative] = await Promise.all([receiver, related].map((one) => scriptContact(host, account, one)))
  return runObjectScript(context, script, {
    input: { data, variables, arguments: {}, contact, related: relative, event, stamp, public: sent },
    seed: `${account}:webtask ${id}:${asked.id}`,
    now: host.clock.now(),
    onLog,
  })
}
