import { Counter, type Registry } from 'prom-client'
import { badRequestProblem } from '../../../lib/errors/problem.ts'
import { isJsonObject } from '../../../lib/objects.ts'

const TYPE_PATTERN = /^[\w.-]{1,40}$/
/** Types counted by name: the route is public, and a metric must stay small. */
const MAX_NAMED_TYPES = 50

/** Counts what apps report of themselves, by type; nothing of it is stored. Throws 400 for what is no JSON object. */
export type TelemetryCounter = (report: unknown) => void

/** Opens the counter of a process. */
export function openTelemetryCounter(registry: Registry): TelemetryCounter {
  const reports = new Counter({
    name: 'stentor_device_telemetry_total',
    help: 'Reports of installed apps, by type',
    labelNames: ['type'],
    registers: [registry],
  })
  const countedTypes = new Set(['error', 'unknown'])
  return (report) => {
    if (!isJsonObject(report)) throw badRequestProblem('', 'must be a JSON object')
    const reportType = report['type']
    const type =
      typeof reportType === 'string' && TYPE_PATTERN.test(reportType)
        ? reportType
        : report['error'] == null
          ? 'unknown'
          : 'error'
    if (countedTypes.size < MAX_NAMED_TYPES) countedTypes.add(type)
    reports.inc({ type: countedTypes.has(type) ? type : 'other' })
  }
}
