import {
  type Context,
  Drop,
  defaultOperators,
  EchoTag,
  type Emitter,
  type Liquid,
  type Operators,
  type Value,
} from 'liquidjs'

/*
 * What a template captures in an HTML part is HTML already: its values were escaped as they were written. It is a value of its own kind,
 * which only `capture` makes, so that no text of a contact can pass for one. All other work sees its text.
 */

type FilterImplementation = NonNullable<Liquid['filters'][string]>
type FilterHandler = Extract<FilterImplementation, (...args: never[]) => unknown>
/** A unary operator takes its context in second place, which is no captured value. */
type BinaryOperator = Extract<Operators[string], (left: never, right: never, context: never) => unknown>
type EscapeValue = (value: unknown) => string

/** A text captured in an HTML part, printed without escaping it again. */
export class CapturedHtml extends Drop {
  readonly html: string

  constructor(html: string) {
    super()
    this.html = html
  }

  override valueOf(): string {
    return this.html
  }

  override toString(): string {
    return this.html
  }
}

/** The text of a captured value; any other value unchanged. */
export const toPlainCapture = (value: unknown): unknown => (value instanceof CapturedHtml ? value.html : value)

/** Filters that neither make nor unmake markup. */
const MARKUP_SAFE_FILTERS: ReadonlySet<string> = new Set([
  'capitalize',
  'downcase',
  'lstrip',
  'normalize_whitespace',
  'rstrip',
  'strip',
  'strip_html',
  'strip_newlines',
  'upcase',
])
/** Filters whose result is HTML already; what is HTML is left as it is. */
export const ESCAPING_FILTERS: ReadonlySet<string> = new Set(['escape', 'escape_once', 'xml_escape'])
/** Filters whose values are joined: those that are not captured are escaped. */
const JOINING_FILTERS: ReadonlySet<string> = new Set(['append', 'prepend'])

/** Operators that see the texts of captured values. */
export const captureOperators: Operators = Object.fromEntries(
  Object.entries(defaultOperators).map(([name, compare]): [string, BinaryOperator] => [
    name,
    (left, right, context) => (compare as BinaryOperator)(toPlainCapture(left), toPlainCapture(right), context),
  ]),
)

/** Makes the filters and tags of an engine that escapes work with captured values. To be called when it has all of its own. */
export function admitCapturedHtml(liquid: Liquid, encode: EscapeValue): void {
  for (const [name, filter] of Object.entries(liquid.filters))
    if (typeof filter === 'function') liquid.registerFilter(name, admitToFilter(name, filter, encode))
  liquid.registerTag('echo', EscapedEcho)
}

/** A filter whose result is HTML where that is certain, and otherwise a text, which is escaped when it is printed. */
function admitToFilter(name: string, handler: FilterHandler, encode: EscapeValue): FilterHandler {
  return function (...values) {
    if (!values.some((value) => value instanceof CapturedHtml)) return handler.apply(this, values)
    const [value, ...filterArguments] = values as unknown[]
    if (ESCAPING_FILTERS.has(name)) return value
    if (JOINING_FILTERS.has(name)) return markHtml(handler.apply(this, values.map(encode) as typeof values))
    // It returns the fallback as it was given.
    if (name === 'default') return restoreCapture(value, handler.call(this, toPlainCapture(value), ...filterArguments))
    const result: unknown = handler.apply(this, values.map(toPlainCapture) as typeof values)
    return value instanceof CapturedHtml && MARKUP_SAFE_FILTERS.has(name) ? markHtml(result) : result
  }
}

const markHtml = (result: unknown): unknown => (typeof result === 'string' ? new CapturedHtml(result) : result)

const restoreCapture = (value: unknown, result: unknown): unknown =>
  value instanceof CapturedHtml && result === value.html ? value : result

/** `echo` escapes like an output; that of liquidjs takes the text of a value before. */
class EscapedEcho extends EchoTag {
  override *render(context: Context, emitter: Emitter): Generator<unknown, void, unknown> {
    const { value } = this as unknown as { value?: Value }
    if (value === undefined) return
    const printed = yield value.value(context, false)
    const encode = value.filters.at(-1)?.raw ? undefined : this.liquid.options.outputEscape
    emitter.write(encode === undefined ? printed : encode.call(this as never, printed))
  }
}
