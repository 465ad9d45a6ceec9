import { readInstant } from '../../lib/period.ts'
import { badRequest } from '../../lib/problem.ts'
import type { Import } from './import-schemas.ts'

type Scheduler = NonNullable<Import['scheduler']>

const TYPES = ['periodic', 'scheduled']

/**
 * Reads the scheduler of a request, with the members the service sets. It is kept and shown; what is not known of it
 * is kept as it stands. Throws 400 for an unknown type, and for `scheduled` without a start date.
 */
export function readScheduler(given: Record<string, unknown>, id: number, now: Date): Scheduler {
  const type = String(given['type'] ?? '').toLowerCase()
  if (!TYPES.includes(type)) throw badRequest('/scheduler/type', `must be one of ${TYPES.join(', ')}`)
  const startDate = given['startDate'] === undefined ? undefined : readInstant(given['startDate'])
  if (type === 'scheduled' && startDate === undefined) {
    throw badRequest('/scheduler/startDate', 'must be an ISO 8601 date: when the import runs, once')
  }
  return {
    ...given,
    type,
    id,
    creationDate: now.toISOString(),
    nextDate: null,
    enabled: given['enabled'] ?? true,
    ...(startDate !== undefined && { startDate: new Date(startDate).toISOString() }),
  }
}
