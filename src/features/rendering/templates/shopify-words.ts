import {
  type Context,
  CycleTag,
  evalToken,
  type FilteredValueToken,
  type Liquid,
  type TagToken,
  type Token,
  type TopLevelToken,
  TypeGuards,
  Value,
} from 'liquidjs'
import { isJsonObject } from '../../../lib/objects.ts'
import { chargeValue, flattenLiquidList, printLiquidValue } from './budgets.ts'

/*
 * Tags and filters that work differently in liquidjs than in Shopify's engine, which authors of templates know.
 */

type FilterImpl = NonNullable<Liquid['filters'][string]>
type Handler = Extract<FilterImpl, (...args: never[]) => unknown>

/** Filters from text to text: they receive objects and lists as these are printed. */
const TEXT_FILTERS = [
  ...[
    'append',
    'prepend',
    'replace',
    'replace_first',
    'replace_last',
    'remove',
    'remove_first',
    'remove_last',
    'split',
  ],
  ...['capitalize', 'downcase', 'upcase', 'escape', 'escape_once', 'xml_escape', 'strip_html', 'newline_to_br'],
  ...['strip', 'lstrip', 'rstrip', 'strip_newlines', 'squish', 'normalize_whitespace', 'truncate', 'number_of_words'],
  ...['url_encode', 'url_decode', 'cgi_escape', 'uri_escape', 'slugify', 'base64_encode', 'base64_decode'],
]

/** Replaces tags and filters of liquidjs by those of Shopify's engine. */
export function registerShopifyLiquid(liquid: Liquid): void {
  liquid.registerTag('cycle', NamedCycle)
  for (const name of TEXT_FILTERS)
    replaceFilter(liquid, name, (handler) => {
      return function (...values) {
        const texts = values.map((one) => (isObjectOrList(one) ? textOf(one, this.context) : one))
        return handler.apply(this, texts as Parameters<Handler>)
      }
    })
  replaceFilter(liquid, 'join', (handler) => {
    return function (value: unknown, glue: unknown) {
      const texts = flattenLiquidList(value).map((one) => textOf(one, this.context))
      return handler.call(this, texts, isObjectOrList(glue) ? textOf(glue, this.context) : glue)
    }
  })
  replaceFilter(liquid, 'default', (handler) => {
    return function (value: unknown, ...fallback) {
      const isEmpty = isJsonObject(value) && Object.keys(value).length === 0
      return handler.call(this, isEmpty ? null : value, ...fallback)
    }
  })
  replaceFilter(liquid, 'slice', (handler) => {
    return function (value: unknown, begin: unknown, length: unknown = 1) {
      const whole = Array.isArray(value) ? value : printLiquidValue(value)
      return handler.call(this, whole, begin, Math.min(Number(length), whole.length))
    }
  })
  liquid.registerFilter('sum', sum)
}

function replaceFilter(liquid: Liquid, name: string, replacing: (handler: Handler) => Handler): void {
  const filter = liquid.filters[name]
  if (typeof filter !== 'function') throw new Error(`liquidjs has no filter ${name}`)
  liquid.registerFilter(name, replacing(filter))
}

const isObjectOrList = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value as it is printed, charged. */
function textOf(value: unknown, { memoryLimit }: Context): string {
  const text = printLiquidValue(value)
  chargeValue(memoryLimit, text)
  return text
}

/** The sum of the numbers in a list and in the lists in it, or of a member of its objects; what is not a number counts as 0. */
const sum: Handler = function* (value: unknown, member: unknown): Generator<unknown, number, unknown> {
  let total = 0
  const name = isObjectOrList(member) || member === undefined || member === null ? undefined : String(member)
  for (const item of flattenLiquidList(value)) {
    const one = name === undefined ? item : yield this.context._getFromScope(item, name, false)
    const number = typeof one === 'number' || typeof one === 'string' ? Number(one) : 0
    total += Number.isNaN(number) ? 0 : number
  }
  return total
}

/** The parts of a `cycle` that liquidjs reads and declares private. */
interface CycleParts {
  candidates: FilteredValueToken[]
  group: Token | undefined
}

/**
 * A `cycle` that shares its position with every other of the same name, whatever its values. Without a name it shares it with those of
 * the same values; if a value is not written in the template, each tag has a position of its own.
 */
class NamedCycle extends CycleTag {
  readonly #values: readonly Value[]
  readonly #group: Token | undefined
  readonly #unnamedKey: unknown

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    const { candidates, group } = this as unknown as CycleParts
    this.#values = candidates.map((candidate) => new Value(candidate, liquid))
    this.#group = group
    const isWritten = candidates.every(({ initial: { postfix } }) => postfix.every(isConstant))
    this.#unnamedKey = isWritten ? `values ${candidates.map((candidate) => candidate.getText()).join(',')}` : this
  }

  override *render(context: Context): Generator<unknown, string, unknown> {
    const key =
      this.#group === undefined ? this.#unnamedKey : `name ${printLiquidValue(yield evalToken(this.#group, context))}`
    const counters = context.getRegister<Map<unknown, number>>('cycles', new Map())
    const at = counters.get(key) ?? 0
    counters.set(key, at + 1 < this.#values.length ? at + 1 : 0)
    const candidate = this.#values[at]
    const value = yield candidate?.value(context, false)
    const encode = candidate?.filters.at(-1)?.raw ? undefined : this.liquid.options.outputEscape
    return encode === undefined ? printLiquidValue(value) : encode.call(this, value)
  }
}

const isConstant = (token: Token): boolean =>
  TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)
