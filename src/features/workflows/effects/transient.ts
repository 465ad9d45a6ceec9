import type { Problem } from '../../../lib/errors/problem.ts'

/** Problems that go by when the source of a send is sent again. */
const transientKinds: ReadonlySet<string> = new Set([
  'action-state',
  'notification-inactive',
  'application-inactive',
  'application-missing',
  'profile-inactive',
  'credentials-missing',
  'notification-state',
])

/** Returns true if a step that met a problem may succeed at another time. */
export const isTransientProblem = ({ kind, status }: Problem): boolean => transientKinds.has(kind) || status === 503
