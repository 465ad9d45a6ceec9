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

/** The extent of tracing. The exporter itself reads the destination and the description of this process from the environment. */
export interface TraceSettings {
  sampler: (typeof traceSamplers)[number]
  /** The share of traces that are kept, of samplers by ratio. */
  ratio: number
}

type EnvironmentVariables = Readonly<Record<string, string | undefined>>

function throwSettingError(name: string, complaint: string): never {
  throw new OperatorError(`${name}: its value ${complaint}.`)
}

function isEndpointSet(environment: EnvironmentVariables, name: string): boolean {
  const rawEndpoint = environment[name]
  if (rawEndpoint === undefined || rawEndpoint === '') return false
  const isAddress = URL.canParse(rawEndpoint) && /^https?:$/.test(new URL(rawEndpoint).protocol)
  if (!isAddress) throwSettingError(name, 'must be an address such as http://collector.example:4318')
  return true
}

function readChoice<Word extends string>(
  environment: EnvironmentVariables,
  name: string,
  words: readonly Word[],
): Word {
  const rawWord = environment[name] || words[0]
  const word = words.find((candidate) => candidate === rawWord)
  return word ?? throwSettingError(name, `must be one of ${words.join(', ')}`)
}

function readRatio(environment: EnvironmentVariables, name: string): number {
  const ratio = Number(environment[name] || 1)
  return ratio >= 0 && ratio <= 1 ? ratio : throwSettingError(name, 'must be a number from 0 to 1')
}

/**
 * Reads the standard variables of OpenTelemetry; undefined: nothing is traced, as no endpoint is named. Throws OperatorError with
 * the variable that is wrong. Values are not repeated: an address may hold a password.
 */
export function readTraceSettings(environment: EnvironmentVariables): TraceSettings | undefined {
  const endpointNames = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  const hasEndpoint = endpointNames.map((name) => isEndpointSet(environment, name)).includes(true)
  if (!hasEndpoint || environment['OTEL_SDK_DISABLED']?.toLowerCase() === 'true') return undefined
  if (readChoice(environment, 'OTEL_TRACES_EXPORTER', ['otlp', 'none']) === 'none') return undefined
  for (const name of ['OTEL_EXPORTER_OTLP_PROTOCOL', 'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL'])
    readChoice(environment, name, ['http/protobuf'])
  const sampler = readChoice(environment, 'OTEL_TRACES_SAMPLER', traceSamplers)
  return { sampler, ratio: readRatio(environment, 'OTEL_TRACES_SAMPLER_ARG') }
}
