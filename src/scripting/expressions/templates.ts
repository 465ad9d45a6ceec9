import type { Template } from 'liquidjs'
import { buildBareNames } from '../../features/rendering/scope.ts'
import {
  createLiquidEngine,
  type LiquidEngine,
  runTemplate,
  runTemplateAsync,
} from '../../features/rendering/templates/liquid.ts'
import { joinTextPieces } from '../../features/rendering/templates/pieces.ts'
import { memoize } from '../../lib/concurrency/memoize.ts'
import { startWorkCpuMeter } from '../../lib/concurrency/thread-limit.ts'
import type { ScriptFilterCall } from './scripts-port.ts'

/** Bytes that a template may write. */
const MAX_BYTES = 256 * 1024
/** Limit of the processor time of a template and its own filters together. */
const FILTERED_LIMIT_MS = 10_000
/** Tags and filters of messages, which mean nothing here. */
const REMOVED_TAGS = ['cancel']
const REMOVED_FILTERS = ['tracked']

/** A filter that a definition brings. */
export interface TemplateFilter {
  name: string
  value: string
}

/** Values by name, and what dates are written with. */
export interface TemplateValues {
  values: Readonly<Record<string, unknown>>
  /** IANA name or offset. */
  zone: string
  /** Milliseconds since 1970. */
  now: number
}

export interface CompiledTemplate {
  engine: LiquidEngine
  nodes: Template[]
  /** It uses filters that are scripts. */
  isFiltered: boolean
}

type CallFilter = (call: ScriptFilterCall) => Promise<unknown>

function openEngine(culture: string, filters: readonly TemplateFilter[], escapes = false): LiquidEngine {
  const engine = createLiquidEngine(culture, escapes)
  for (const tag of REMOVED_TAGS) delete engine.liquid.tags[tag]
  for (const filter of REMOVED_FILTERS) engine.liquid.unregisterFilter(filter)
  for (const { name, value } of filters)
    engine.liquid.registerFilter(name, function (input: unknown, ...given: unknown[]) {
      const call: CallFilter | undefined = this.context.getRegister('callFilter')
      if (!call) throw new Error(`The filter ${name} is a script and cannot be called here.`)
      return call({ source: value, input, arguments: given })
    })
  return engine
}

/** What templates without filters of their own are parsed with, by culture. */
const engines = memoize(100, (culture: string) => openEngine(culture, []))
/** Those that escape what they print as HTML. */
const htmlEngines = memoize(100, (culture: string) => openEngine(culture, [], true))

/** The engine of a culture, with the filters of a definition. `escapes`: what it prints is escaped as HTML. */
export function createTemplateEngine(
  culture: string,
  filters: readonly TemplateFilter[],
  escapes = false,
): LiquidEngine {
  if (filters.length > 0) return openEngine(culture, filters, escapes)
  return escapes ? htmlEngines(culture) : engines(culture)
}

/** Whether templates have a filter of this name already. */
export function isBuiltInTemplateFilter(name: string): boolean {
  return Object.hasOwn(engines('en-US').liquid.filters, name) || REMOVED_FILTERS.includes(name)
}

/** Throws beyond what a template may write. */
function bounded(text: string): string {
  if (3 * text.length > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES)
    throw new Error('The template writes more than 256 KB.')
  return text
}

function bareOf({ values }: TemplateValues): object {
  const record = (name: string) => {
    const value = values[name]
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }
  return buildBareNames(record('variables'), record('data'), record('contact'))
}

const stateOf = ({ zone, now }: TemplateValues) => ({ zone, now, track: (_start: number, target: string) => target })

/** The text of a template without filters of its own. Throws what liquidjs collected. */
export function renderScriptTemplate({ engine, nodes }: CompiledTemplate, scope: TemplateValues): string {
  const given = { environment: scope.values, bare: bareOf(scope), strict: false, state: stateOf(scope) }
  const { fragments } = runTemplate(engine, nodes, given)
  return bounded(joinTextPieces(fragments))
}

/** The text of a template whose filters are scripts. */
export async function renderFilteredTemplate(
  { engine, nodes }: CompiledTemplate,
  scope: TemplateValues,
  callFilter: CallFilter,
): Promise<string> {
  const given = { environment: scope.values, bare: bareOf(scope), strict: false, state: stateOf(scope) }
  const meter = startWorkCpuMeter()
  const metered: CallFilter = (call) => meter.wait(callFilter({ ...call, onSpent: meter.add }))
  const awaiting = { registers: { callFilter: metered }, milliseconds: FILTERED_LIMIT_MS, spentMs: meter.spentMs }
  return bounded(await runTemplateAsync(engine, nodes, given, awaiting))
}
