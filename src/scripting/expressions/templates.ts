import type { Template } from 'liquidjs'
import { bareNamesOf } from '../../features/rendering/scope.ts'
import { createEngine, type Engine, run, runAwaited } from '../../features/rendering/templates/liquid.ts'
import { textOf } from '../../features/rendering/templates/pieces.ts'
import { memoize } from '../../lib/concurrency/memoize.ts'
import { openMeter } from '../../lib/concurrency/thread-limit.ts'
import type { FilterCall } from './scripts-port.ts'

/** Bytes that a template may write. */
const MAX_BYTES = 256 * 1024
/** Limit of the processor time of a template and its own filters together. */
const FILTERED_LIMIT_MS = 10_000
/** Tags and filters of messages, which mean nothing here. */
const REMOVED_TAGS = ['cancel']
const REMOVED_FILTERS = ['tracked']

/** A filter that a definition brings. */
export interface OwnFilter {
  name: string
  value: string
}

/** Values by name, and what dates are written with. */
export interface Scope {
  values: Readonly<Record<string, unknown>>
  /** IANA name or offset. */
  zone: string
  /** Milliseconds since 1970. */
  now: number
}

export interface CompiledTemplate {
  engine: Engine
  nodes: Template[]
  /** It uses filters that are scripts. */
  isFiltered: boolean
}

type CallFilter = (call: FilterCall) => Promise<unknown>

function openEngine(culture: string, filters: readonly OwnFilter[], escapes = false): Engine {
  const engine = createEngine(culture, escapes)
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
export function engineOf(culture: string, filters: readonly OwnFilter[], escapes = false): Engine {
  if (filters.length > 0) return openEngine(culture, filters, escapes)
  return escapes ? htmlEngines(culture) : engines(culture)
}

/** Whether templates have a filter of this name already. */
export function isBuiltInFilter(name: string): boolean {
  return Object.hasOwn(engines('en-US').liquid.filters, name) || REMOVED_FILTERS.includes(name)
}

/** Throws beyond what a template may write. */
function bounded(text: string): string {
  if (3 * text.length > MAX_BYTES && Buffer.byteLength(text) > MAX_BYTES)
    throw new Error('The template writes more than 256 KB.')
  return text
}

function bareOf({ values }: Scope): object {
  const record = (name: string) => {
    const value = values[name]
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  }
  return bareNamesOf(record('variables'), record('data'), record('contact'))
}

const stateOf = ({ zone, now }: Scope) => ({ zone, now, track: (_start: number, target: string) => target })

/** The text of a template without filters of its own. Throws what liquidjs collected. */
export function renderTemplate({ engine, nodes }: CompiledTemplate, scope: Scope): string {
  const given = { environment: scope.values, bare: bareOf(scope), strict: false, state: stateOf(scope) }
  const { fragments } = run(engine, nodes, given)
  return bounded(textOf(fragments))
}

/** The text of a template whose filters are scripts. */
export async function renderFiltered(
  { engine, nodes }: CompiledTemplate,
  scope: Scope,
  callFilter: CallFilter,
): Promise<string> {
  const given = { environment: scope.values, bare: bareOf(scope), strict: false, state: stateOf(scope) }
  const meter = openMeter()
  const metered: CallFilter = (call) => meter.wait(callFilter({ ...call, onSpent: meter.add }))
  const awaiting = { registers: { callFilter: metered }, milliseconds: FILTERED_LIMIT_MS, spentMs: meter.spentMs }
  return bounded(await runAwaited(engine, nodes, given, awaiting))
}
