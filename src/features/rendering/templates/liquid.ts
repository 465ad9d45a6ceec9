import { type Emitter, Liquid, LiquidError, RenderError, type Template, toPromise, toValueSync } from 'liquidjs'
import { flattenLiquidErrors, MessageCancelledError, unwrapLiquidError } from '../flaws.ts'
import type { RenderFragment } from '../html/markers.ts'
import {
  createOutputLimitError,
  createRenderBudget,
  createTextEmitter,
  OUTPUT_LIMIT_BYTES,
  printLiquidValue,
} from './budgets.ts'
import { admitCapturedHtml, CapturedHtml, captureOperators } from './captured-html.ts'
import { limitLiquidEngine } from './guards.ts'
import { registerStentorLiquid, type TemplateRunState } from './liquid-words.ts'
import { appendTextPiece, joinTextPieces, splitTextPieces } from './pieces.ts'
import { type FragmentEmitter, isQuickNode, QuickContext, QuickParser } from './quick-nodes.ts'
import { registerShopifyLiquid } from './shopify-words.ts'

/** One engine renders one culture, and either escapes what it prints as HTML or does not. */
export interface LiquidEngine {
  liquid: Liquid
  /** Throws what liquidjs collected: every fault of syntax. `split`: what the texts of the template are made of. */
  parse(text: string, split?: (text: string) => RenderFragment[]): Template[]
}

/** Input of rendering one template, in addition to its scope. */
export interface TemplateRun {
  /** Names available to the template. `increment` changes them, so each template needs its own object. */
  environment: object
  /** Object that resolves bare names missing from the environment. */
  bare: object
  /** An unknown path is an error. */
  strict: boolean
  state: TemplateRunState
}

export interface TemplateRunOutcome {
  fragments: readonly RenderFragment[]
  /** Paths of values that are not there. */
  missing: ReadonlySet<string>
}

/** Characters of a part. Markers of links make the text longer that is parsed, at most by so much. */
export const MAX_TEMPLATE_LENGTH = 1_000_000
const MAX_MARKED_LENGTH = 8 * MAX_TEMPLATE_LENGTH
const MAX_RENDER_MS = 500
/** So many nodes that take next to no time go by between two looks at the clock. */
const QUICK_NODES_PER_CHECK = 16

/** Tags that read other templates: there are none. */
const REMOVED_TAGS = ['include', 'render', 'layout', 'block']
/** Filters that evaluate text, hash, or answer differently on the mirror page. */
const REMOVED_FILTERS = ['inspect', 'sha256', 'hmac_sha256', 'sample']

export function createLiquidEngine(culture: string, escapes: boolean): LiquidEngine {
  const liquid = new Liquid({
    locale: culture,
    ownPropertyOnly: true,
    strictFilters: true,
    catchAllErrors: true,
    lenientIf: true,
    dynamicPartials: false,
    relativeReference: false,
    templates: {},
    parseLimit: MAX_MARKED_LENGTH,
    ...(escapes && { outputEscape: escapeHtml, operators: captureOperators }),
  })
  for (const tag of REMOVED_TAGS) delete liquid.tags[tag]
  for (const filter of Object.keys(liquid.filters))
    if (REMOVED_FILTERS.includes(filter) || filter.endsWith('_exp')) liquid.unregisterFilter(filter)
  registerShopifyLiquid(liquid)
  registerStentorLiquid(liquid, culture)
  limitLiquidEngine(liquid)
  if (escapes) admitCapturedHtml(liquid, escapeHtml)
  const encodeOutput = escapes ? escapeHtml : undefined
  return { liquid, parse: (text, split = splitTextPieces) => new QuickParser(liquid, encodeOutput, split).parse(text) }
}

/**
 * Renders a parsed template. Throws `MessageCancelledError` when it says so, else the errors of all its tags in one, among them
 * `RenderLimitError` when it takes too much time, memory, steps or output.
 */
export function runTemplate(
  { liquid }: LiquidEngine,
  nodes: Template[],
  { environment, bare, strict, state }: TemplateRun,
): TemplateRunOutcome {
  const options = { sync: true, globals: bare, strictVariables: strict }
  const context = new QuickContext(toNameMap(environment), liquid, options, createRenderBudget(MAX_RENDER_MS))
  context.setRegister('run', state)
  const emitter = createBoundedEmitter()
  try {
    renderTemplateNodes(nodes, context, emitter)
    emitter.end()
    return { fragments: emitter.fragments, missing: context.missing }
  } catch (error) {
    throw (
      flattenLiquidErrors(error)
        .map(unwrapLiquidError)
        .find((cause) => cause instanceof MessageCancelledError) ?? error
    )
  }
}

/**
 * Renders a parsed template that has asynchronous filters: `registers` are for them. `milliseconds` limits the time that `spentMs` counts.
 * Rejects with the errors that `runTemplate` throws.
 */
export async function runTemplateAsync(
  { liquid }: LiquidEngine,
  nodes: Template[],
  { environment, bare, strict, state }: TemplateRun,
  {
    registers,
    milliseconds,
    spentMs,
  }: { registers: Record<string, unknown>; milliseconds: number; spentMs: () => number },
): Promise<string> {
  const budget = createRenderBudget(milliseconds, spentMs)
  const options = { sync: false, globals: bare, strictVariables: strict }
  const context = new QuickContext(toNameMap(environment), liquid, options, budget)
  for (const [name, value] of Object.entries({ ...registers, run: state })) context.setRegister(name, value)
  const emitter = createTextEmitter(budget.memory)
  await toPromise(liquid.renderer.renderTemplates(nodes, context, emitter))
  return emitter.buffer
}

/** Copies only the own names of an object, without inherited ones. */
function toNameMap(environment: object): object {
  return Object.assign(Object.create(null), environment)
}

/**
 * Does what the renderer of liquidjs does, which goes through a generator for each node: most need none. The clock is
 * looked at for nodes that may take long, and now and then for the others.
 */
function renderTemplateNodes(nodes: readonly Template[], context: QuickContext, emitter: Emitter): void {
  const errors: unknown[] = []
  context.renderLimit.check(performance.now())
  let quickNodeCount = 0
  for (const node of nodes) {
    const isTimed = !isQuickNode(node) || quickNodeCount++ % QUICK_NODES_PER_CHECK === 0
    context.renderLimit.check(isTimed ? performance.now() : 0)
    try {
      const text: unknown = toValueSync(node.render(context, emitter))
      if (text) emitter.write(text)
      if (context.breakCalled || context.continueCalled) break
    } catch (error) {
      errors.push(LiquidError.is(error) || !(error instanceof Error) ? error : new RenderError(error, node))
    }
  }
  if (errors.length > 0) throw new AggregateError(errors)
}

/** Collects fragments. Markers count like the rest; `end` throws when all of it is more than 2 MB. */
function createBoundedEmitter(): FragmentEmitter & { end(): void } {
  const fragments: RenderFragment[] = []
  let length = 0

  function count(characters: number): void {
    length += characters
    if (length > OUTPUT_LIMIT_BYTES) throw createOutputLimitError()
  }

  return {
    fragments,
    // Asked for by liquidjs, which gives it back when all is written.
    buffer: '',
    write(value: unknown) {
      const text = printLiquidValue(value)
      count(text.length)
      appendTextPiece(fragments, text)
    },
    writeStatic(text, texts) {
      count(text.length)
      for (const fragment of texts) appendTextPiece(fragments, fragment)
    },
    end() {
      // No character takes more than three bytes: short texts need not be counted.
      if (3 * length > OUTPUT_LIMIT_BYTES && Buffer.byteLength(joinTextPieces(fragments)) > OUTPUT_LIMIT_BYTES)
        throw createOutputLimitError()
    },
  }
}

/** Character references by character code. */
const CHARACTER_REFERENCES: readonly (string | undefined)[] = Object.assign([], {
  [0x26]: '&amp;',
  [0x3c]: '&lt;',
  [0x3e]: '&gt;',
  [0x22]: '&#34;',
  [0x27]: '&#39;',
})
const ESCAPED_CHARACTER_PATTERN = /[&<>"']/

/** Text for HTML, in elements and in attribute values of either quote; captured HTML is left as it is. One walk: a call for each character is slower. */
export function escapeHtml(value: unknown): string {
  if (value instanceof CapturedHtml) return value.html
  const text = printLiquidValue(value)
  const firstMatch = text.search(ESCAPED_CHARACTER_PATTERN)
  if (firstMatch < 0) return text
  let escapedText = ''
  let copyStart = 0
  for (let characterIndex = firstMatch; characterIndex < text.length; characterIndex++) {
    const reference = CHARACTER_REFERENCES[text.charCodeAt(characterIndex)]
    if (reference === undefined) continue
    escapedText += text.slice(copyStart, characterIndex) + reference
    copyStart = characterIndex + 1
  }
  return escapedText + text.slice(copyStart)
}
