import type { Problem } from '../../../lib/errors/problem.ts'

/** Problems that go by when the source of a send is sent again. */
const kinds: ReadonlySet<string> = new Set([
  ...['action-state', 'notification-inactive', 'application-inactive', 'application-missing', 'profile-inactive'],
  'credentials-missing',
  'notification-state',
])

/** Whether what met a problem may go well another time. */
export const isTransientProblem = ({ kind, status }: Problem): boolean => kinds.has(kind) || status === 503
