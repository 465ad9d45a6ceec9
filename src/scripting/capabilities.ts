import type { AccessRight } from '../lib/account.ts'
import { Problem } from '../lib/errors/problem.ts'
import type { ScriptCapability } from './sandbox/functions.ts'

const rights: Record<ScriptCapability, AccessRight> = {
  'targets.read': 'read',
  'targets.write': 'write',
  'events.read': 'read',
  'events.publish': 'write',
  'compilables.execute': 'read',
  'actions.send': 'send',
  'workflows.execute': 'send',
  'http.fetch': 'write',
}

/** Capabilities of scripts, and the right that allows each. */
export const capabilityRights: Readonly<Record<string, AccessRight>> = rights

export const scriptCapabilityNames: readonly string[] = Object.keys(rights)

/** With it a script sends what it makes itself. */
export const SENDING_CAPABILITY: ScriptCapability = 'actions.send'

/** Throws 403 for a capability that the key could not use itself; what is stored already may stay. */
export function requireCapabilityRights(
  requestedCapabilities: readonly string[],
  storedCapabilities: readonly string[],
  rights: readonly AccessRight[],
): void {
  for (const capability of requestedCapabilities) {
    const right = capabilityRights[capability]
    if (right === undefined || storedCapabilities.includes(capability) || rights.includes(right)) continue
    throw new Problem(
      403,
      'right-missing',
      `The capability "${capability}" requires the right "${right}", which you do not have.`,
    )
  }
}
