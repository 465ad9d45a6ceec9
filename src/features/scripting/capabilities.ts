import type { Right } from '../../lib/account.ts'

/** What scripts may be allowed to do, and the right that allows it. */
export const capabilityRights: Readonly<Record<string, Right>> = {
  'targets.read': 'read',
  'targets.write': 'write',
  'events.read': 'read',
  'events.publish': 'write',
  'compilables.execute': 'read',
  'actions.send': 'send',
  'workflows.execute': 'send',
  'http.fetch': 'write',
}

export const capabilityNames: readonly string[] = Object.keys(capabilityRights)
