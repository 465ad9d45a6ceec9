import type { Template } from 'liquidjs'
import { buildBareNames } from '../../features/rendering/scope.ts'
import { toPlainCapture } from '../../features/rendering/templates/captured-html.ts'
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
const MAX_TEMPLATE_BYTES = 256 * 1024
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

type FilterCaller = (call: ScriptFilterCall) => Promise<unknown>

function buildTemplateEngine(culture: string, filters: readonly TemplateFilter[], escapes = false): LiquidEngine {
  const engine = createLiquidEngine(culture, escapes)
  for (const removedTag of REMOVED_TAGS) delete engine.liquid.tags[removedTag]
  for (const filter of REMOVED_FILTERS) engine.liquid.unregisterFilter(filter)
  for (const { name, value } of filters)
    engine.liquid.registerFilter(name, function (input: unknown, ...filterArguments: unknown[]) {
      const filterCaller: FilterCaller | undefined = this.context.getRegister('callFilter')
      if (!filterCaller) throw new Error(`The filter ${name} is a script and cannot be called here.`)
      return filterCaller({
        source: value,
        input: toPlainCapture(input),
        arguments: filterArguments.map(toPlainCapture),
      })
    })
  return engine
}

/** Engines, by culture, that parse templates without their own filters. */
const enginesByCulture = memoize(100, (culture: string) => buildTemplateEngine(culture, []))
/** Those that escape what they print as HTML. */
const htmlEnginesByCulture = memoize(100, (culture: string) => buildTemplateEngine(culture, [], true))

/** The engine of a culture, with the filters of a definition. `escapes`: what it prints is escaped as HTML. */
export function createTemplateEngine(
  culture: string,
  filters: readonly TemplateFilter[],
  escapes = false,
): LiquidEngine {
  if (filters.length > 0) return buildTemplateEngine(culture, filters, escapes)
  return escapes ? htmlEnginesByCulture(culture) : enginesByCulture(culture)
}

/** Returns true if templates already have a filter of this name. */
export function isBuiltInTemplateFilter(name: string): boolean {
  return Object.hasOwn(enginesByCulture('en-US').liquid.filters, name) || REMOVED_FILTERS.includes(name)
}

/** Throws beyond what a template may write. */
function requireBoundedText(text: string): string {
  if (3 * text.length > MAX_TEMPLATE_BYTES && Buffer.byteLength(text) > MAX_TEMPLATE_BYTES)
    throw new Error('The template outputs more than 256 KB.')
  return text
}

function buildBareScope({ values }: TemplateValues): object {
  const readRecordValue = (name: string) => {
    const value = values[name]
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }
  return buildBareNames(readRecordValue('variables'), readRecordValue('data'), readRecordValue('contact'))
}

const buildRenderState = ({ zone, now }: TemplateValues) => ({
  zone,
  now,
  track: (_start: number, target: string) => target,
})

/** The text of a template without filters of its own. Throws what liquidjs collected. */
export function renderScriptTemplate({ engine, nodes }: CompiledTemplate, scope: TemplateValues): string {
  const renderOptions = {
    environment: scope.values,
    bare: buildBareScope(scope),
    strict: false,
    state: buildRenderState(scope),
  }
  const { fragments } = runTemplate(engine, nodes, renderOptions)
  return requireBoundedText(joinTextPieces(fragments))
}

/** The text of a template whose filters are scripts. */
export async function renderFilteredTemplate(
  { engine, nodes }: CompiledTemplate,
  scope: TemplateValues,
  callFilter: FilterCaller,
): Promise<string> {
  const renderOptions = {
    environment: scope.values,
    bare: buildBareScope(scope),
    strict: false,
    state: buildRenderState(scope),
  }
  const cpuMeter = startWorkCpuMeter()
  const meteredCaller: FilterCaller = (call) => cpuMeter.wait(callFilter({ ...call, onSpent: cpuMeter.add }))
  const asyncOptions = {
    registers: { callFilter: meteredCaller },
    milliseconds: FILTERED_LIMIT_MS,
    spentMs: cpuMeter.spentMs,
  }
  return requireBoundedText(await runTemplateAsync(engine, nodes, renderOptions, asyncOptions))
}
