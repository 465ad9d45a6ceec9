import {
  CaptureTag,
  type Context,
  type Liquid,
  TagToken,
  type Template,
  Token,
  Tokenizer,
  TokenKind,
  TypeGuards,
} from 'liquidjs'
import { assertValueSize, chargeJson, chargeValue, createTextEmitter } from './budgets.ts'
import { CapturedHtml } from './captured-html.ts'
import { QuickContext } from './quick-nodes.ts'

/*
 * What liquidjs leaves without a limit of its own, or limits after it has done the work. The rest of its work is counted where
 * it does it.
 */

type FilterImplementation = NonNullable<Liquid['filters'][string]>
type FilterHandler = Extract<FilterImplementation, (...args: never[]) => unknown>

/** Filters that make a text and charge nothing for it. */
const UNCHARGED_FILTERS = new Set([
  'url_encode',
  'url_decode',
  'cgi_escape',
  'uri_escape',
  'slugify',
  'date',
  'money',
  'number',
])
/** Characters of the margin that JSON can have. */
const MAX_MARGIN_CHARACTERS = 10

/** Puts a limit on what the filters and tags of an engine make. To be called when it has all of its own. */
export function limitLiquidEngine(liquid: Liquid): void {
  for (const name of ['json', 'jsonify']) liquid.registerFilter(name, createJsonFilter)
  for (const [name, filter] of Object.entries(liquid.filters))
    if (typeof filter === 'function') liquid.registerFilter(name, guardFilter(filter, UNCHARGED_FILTERS.has(name)))
  liquid.registerTag('capture', BoundedCapture)
}

/** A filter that looks at the clock before it begins, and whose value is no larger than values have to be. */
function guardFilter(handler: FilterHandler, isCharged: boolean): FilterHandler {
  return function (value: unknown, ...filterArguments: unknown[]) {
    const { context } = this
    if (context instanceof QuickContext) context.budget.time.look()
    function checkResult(result: unknown): unknown {
      assertValueSize(result)
      if (isCharged || Array.isArray(result)) chargeValue(context.memoryLimit, result)
      return result
    }
    const result: unknown = handler.call(this, value, ...filterArguments)
    return isFilterSteps(result) ? checkAfterSteps(result, checkResult) : checkResult(result)
  }
}

type FilterSteps = Generator<unknown, unknown, unknown>

function isFilterSteps(value: unknown): value is FilterSteps {
  return typeof value === 'object' && value !== null && 'next' in value && typeof value.next === 'function'
}

function* checkAfterSteps(steps: FilterSteps, check: (result: unknown) => unknown): FilterSteps {
  return check(yield steps)
}

/** JSON whose size is known before it is made: margins, and what is held many times, make it long. */
const createJsonFilter: FilterHandler = function (value: unknown, space: unknown = 0) {
  const margin = typeof space === 'number' || typeof space === 'string' ? space : 0
  chargeJson(this.context.memoryLimit, value, margin === 0 || margin === '' ? 0 : MAX_MARGIN_CHARACTERS)
  return JSON.stringify(value, undefined, margin)
}

/** `capture` whose text is charged as it is written. */
class BoundedCapture extends CaptureTag {
  override *render(context: Context): Generator<unknown, void, string> {
    const templates: Template[] = this.templates
    const emitter = createTextEmitter(context.memoryLimit)
    yield this.liquid.renderer.renderTemplates(templates, context, emitter)
    const isHtml = this.liquid.options.outputEscape !== undefined
    context.bottom()[this.variable] = isHtml ? new CapturedHtml(emitter.buffer) : emitter.buffer
  }
}

/** An end of a range: read like a path without names, so that the context is asked for it. */
class RangeEnd extends Token {
  readonly props: Token[] = []
  readonly variable: Token

  constructor(variable: Token) {
    super(TokenKind.PropertyAccess, variable.input, variable.begin, variable.end, variable.file)
    this.variable = variable
  }
}

const { readGroupOrRange } = Tokenizer.prototype

// liquidjs reads ranges in many places and creates its tokenisers itself: only their class can be changed.
Tokenizer.prototype.readGroupOrRange = function (this: Tokenizer) {
  const token = readGroupOrRange.call(this)
  return TypeGuards.isRangeToken(token)
    ? Object.assign(token, { lhs: new RangeEnd(token.lhs), rhs: new RangeEnd(token.rhs) })
    : token
}

/** Reads text with a tokeniser, up to a place. */
function readTextUntil(tokenizer: Tokenizer, end: number): ReturnType<Tokenizer['readHTMLToken']> {
  const { N } = tokenizer
  tokenizer.N = end
  const token = tokenizer.readHTMLToken([])
  tokenizer.N = N
  return token
}

const ENDRAW_PATTERN = /\{%-?\s*endraw(?!\w)/y

/** Reads what stands in a raw text, or its end where that is next; unlike that of liquidjs it knows an end with a dash. */
Tokenizer.prototype.readEndrawOrRawContent = function (this: Tokenizer, options) {
  const { input, p: begin } = this
  let tagEnd = -1
  for (let tagStart = input.indexOf('{%', begin); tagStart >= 0; tagStart = input.indexOf('{%', tagStart + 2)) {
    ENDRAW_PATTERN.lastIndex = tagStart
    if (!ENDRAW_PATTERN.test(input)) continue
    if (tagEnd < tagStart) tagEnd = input.indexOf('%}', tagStart)
    if (tagEnd < 0) break
    const nextTagStart = input.indexOf('{%', tagStart + 2)
    if (nextTagStart >= 0 && nextTagStart < tagEnd) continue
    if (tagStart > begin) return readTextUntil(this, tagStart)
    this.p = tagEnd + 2
    Object.assign(this, { rawBeginAt: -1 })
    return new TagToken(input, begin, this.p, options, this.file)
  }
  this.p = this.N
  throw this.error('raw not closed', begin)
}
