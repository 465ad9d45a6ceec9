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

type FilterImplementation = NonNullable<Liquid['filters'][string]>
type FilterHandler = Extract<FilterImplementation, (...args: never[]) => unknown>

/** Filters from text to text: they receive objects and lists as these are printed. */
const TEXT_FILTER_NAMES = [
  'append',
  'prepend',
  'replace',
  'replace_first',
  'replace_last',
  'remove',
  'remove_first',
  'remove_last',
  'split',
  'capitalize',
  'downcase',
  'upcase',
  'escape',
  'escape_once',
  'xml_escape',
  'strip_html',
  'newline_to_br',
  'strip',
  'lstrip',
  'rstrip',
  'strip_newlines',
  'squish',
  'normalize_whitespace',
  'truncate',
  'number_of_words',
  'url_encode',
  'url_decode',
  'cgi_escape',
  'uri_escape',
  'slugify',
  'base64_encode',
  'base64_decode',
]

/** Replaces tags and filters of liquidjs by those of Shopify's engine. */
export function registerShopifyLiquid(liquid: Liquid): void {
  liquid.registerTag('cycle', NamedCycle)
  for (const name of TEXT_FILTER_NAMES)
    replaceFilter(liquid, name, (handler) => {
      return function (...values) {
        const textValues = values.map((filterValue) =>
          isObjectOrList(filterValue) ? printValue(filterValue, this.context) : filterValue,
        )
        return handler.apply(this, textValues as Parameters<FilterHandler>)
      }
    })
  replaceFilter(liquid, 'join', (handler) => {
    return function (value: unknown, glue: unknown) {
      const textValues = flattenLiquidList(value).map((filterValue) => printValue(filterValue, this.context))
      return handler.call(this, textValues, isObjectOrList(glue) ? printValue(glue, this.context) : glue)
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
      const searchedValue = Array.isArray(value) ? value : printLiquidValue(value)
      return handler.call(this, searchedValue, begin, Math.min(Number(length), searchedValue.length))
    }
  })
  liquid.registerFilter('sum', sumValues)
}

function replaceFilter(liquid: Liquid, name: string, replacing: (handler: FilterHandler) => FilterHandler): void {
  const filter = liquid.filters[name]
  if (typeof filter !== 'function') throw new Error(`liquidjs has no filter ${name}`)
  liquid.registerFilter(name, replacing(filter))
}

const isObjectOrList = (value: unknown): value is object => typeof value === 'object' && value !== null

/** A value as it is printed, charged. */
function printValue(value: unknown, { memoryLimit }: Context): string {
  const text = printLiquidValue(value)
  chargeValue(memoryLimit, text)
  return text
}

/** The sum of the numbers in a list and in the lists in it, or of a member of its objects; what is not a number counts as 0. */
const sumValues: FilterHandler = function* (value: unknown, member: unknown): Generator<unknown, number, unknown> {
  let total = 0
  const name = isObjectOrList(member) || member === undefined || member === null ? undefined : String(member)
  for (const item of flattenLiquidList(value)) {
    const summand = name === undefined ? item : yield this.context._getFromScope(item, name, false)
    const number = typeof summand === 'number' || typeof summand === 'string' ? Number(summand) : 0
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
    const isWritten = candidates.every(({ initial: { postfix } }) => postfix.every(isConstantToken))
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

const isConstantToken = (token: Token): boolean =>
  TypeGuards.isQuotedToken(token) || TypeGuards.isNumberToken(token) || TypeGuards.isLiteralToken(token)
