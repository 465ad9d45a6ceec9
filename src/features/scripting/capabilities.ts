import type { Right } from '../../lib/account.ts'
import type { Capability } from './sandbox/functions.ts'

const rights: Record<Capability, Right> = {
  'targets.read': 'read',
  'targets.write': 'write',
  'events.read': 'read',
  'events.publish': 'write',
  'compilables.execute': 'read',
  'actions.send': 'send',
  'workflows.execute': 'send',
  'http.fetch': 'write',
}

/** What scripts may be allowed to do, and the right that allows it. */
export const capabilityRights: Readonly<Record<string, Right>> = rights

export const capabilityNames: readonly string[] = Object.keys(rights)
