import { OperatorError } from '../errors/operator-error.ts'

/** The samplers that OTEL_TRACES_SAMPLER may name. */
export const traceSamplers = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const

/** How much is traced. Where it goes, and what describes this process, the exporter reads from the environment itself. */
export interface TraceSettings {
  sampler: (typeof traceSamplers)[number]
  /** The share of traces that are kept, of samplers by ratio. */
  ratio: number
}

type Environment = Readonly<Record<string, string | undefined>>

function refuse(name: string, what: string): never {
  throw new OperatorError(`${name}: its value ${what}.`)
}

function readEndpoint(environment: Environment, name: string): boolean {
  const given = environment[name]
  if (given === undefined || given === '') return false
  const isAddress = URL.canParse(given) && /^https?:$/.test(new URL(given).protocol)
  if (!isAddress) refuse(name, 'must be an address such as http://collector.example:4318')
  return true
}

function readWord<Word extends string>(environment: Environment, name: string, words: readonly Word[]): Word {
  const given = environment[name] || words[0]
  const word = words.find((candidate) => candidate === given)
  return word ?? refuse(name, `must be one of ${words.join(', ')}`)
}

function readRatio(environment: Environment, name: string): number {
  const ratio = Number(environment[name] || 1)
  return ratio >= 0 && ratio <= 1 ? ratio : refuse(name, 'must be a number from 0 to 1')
}

/**
 * Reads the standard variables of OpenTelemetry; undefined: nothing is traced, as no endpoint is named. Throws OperatorError with
 * the variable that is wrong. Values are not repeated: an address may hold a password.
 */
export function readTraceSettings(environment: Environment): TraceSettings | undefined {
  const names = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const hasEndpoint = names.map((name) => readEndpoint(environment, name)).includes(true)
  if (!hasEndpoint || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined
  if (readWord(environment, 'OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none') return undefined
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    readWord(environment, name, ['http/protobuf'])
  const sampler = readWord(environment, 'OTEL_TRACES_SAMPLER', traceSamplers)
  return { sampler, ratio: readRatio(environment, 'OTEL_TRACES_SAMPLER_ARG') }
}
