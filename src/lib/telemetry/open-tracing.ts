import type { Logger } from 'pino'
import type { TraceSettings } from './trace-settings.ts'
import type { Tracing } from './tracing.ts'

/** Opens what exports spans, and loads it only then; undefined when nothing is traced. `version`: of this program. */
export async function openTracing(
  settings: TraceSettings | undefined,
  { version, log }: { version: string; log: Logger },
): Promise<Tracing | undefined> {
  if (!settings) return undefined
  const { startOtlpTracing } = await import('./tracing-otlp.ts')
  return startOtlpTracing(settings, { version, log })
}
