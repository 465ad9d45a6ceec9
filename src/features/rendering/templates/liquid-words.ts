import { type Context, type Emitter, type Liquid, Tag, type TagToken, type TopLevelToken, Value } from 'liquidjs'
import { memoize } from '../../../lib/concurrency/memoize.ts'
import { MessageCancelledError, RenderLimitError, UnsafeLinkError } from '../flaws.ts'
import { chargeValue, printLiquidValue } from './budgets.ts'
import { createDateFormatter, type DateFormatter } from './dates.ts'

/** Message data that our own filters can read. */
export interface TemplateRunState {
  /** IANA name or offset, for dates. */
  zone: string
  /** The present of the message, milliseconds since 1970. */
  now: number
  /** The address for a `tracked` filter; where its name stands in the text says which link of the version it is. */
  track(start: number, target: string): string
}

/** Adds the tags and filters of our own, and puts those in their place that would depend on the machine. */
export function registerStentorLiquid(liquid: Liquid, culture: string): void {
  liquid.registerTag('cancel', CancelTag)
  registerLinkFilter(liquid)
  registerNumberFilters(liquid, culture)
  registerDateFilters(liquid, createDateFormatter(culture))
  registerWordFilter(liquid)
}

/** `{% cancel "reason" %}` ends the message. A class, because liquidjs analyses variables only of tags that are classes. */
class CancelTag extends Tag {
  readonly reason: Value | undefined

  constructor(token: TagToken, remaining: TopLevelToken[], liquid: Liquid) {
    super(token, remaining, liquid)
    this.reason = token.args.trim() === '' ? undefined : new Value(this.tokenizer.readFilteredValue(), liquid)
  }

  override *render(context: Context, _emitter: Emitter): Generator<unknown, void, unknown> {
    const reason = this.reason === undefined ? '' : yield this.reason.value(context)
    throw new MessageCancelledError(String(reason ?? ''))
  }

  *arguments(): Generator<Value> {
    if (this.reason !== undefined) yield this.reason
  }
}

function getRunState(context: Context): TemplateRunState {
  return context.getRegister<TemplateRunState>('run')
}

function registerLinkFilter(liquid: Liquid): void {
  liquid.registerFilter('tracked', function (value: unknown) {
    const target = String(value ?? '').trim()
    if (!/^https?:\/\//i.test(target))
      throw new UnsafeLinkError(`"tracked" requires an http or https address, not "${target.slice(0, 80)}".`)
    return getRunState(this.context).track(this.token.begin, target)
  })
}

/** A template can name thousands of currencies that there are not. */
const MAX_CACHED_FORMATS = 100

function registerNumberFilters(liquid: Liquid, culture: string): void {
  const formatter = memoize(
    MAX_CACHED_FORMATS,
    (options: string) => new Intl.NumberFormat(culture, JSON.parse(options) as Intl.NumberFormatOptions),
  )

  function formatNumber(value: unknown, options: Intl.NumberFormatOptions): unknown {
    const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value)
    if (Number.isNaN(number)) return value
    return formatter(JSON.stringify(options)).format(number)
  }

  liquid.registerFilter('money', (value: unknown, currency: unknown) => {
    if (typeof currency !== 'string' || !/^[A-Za-z]{3}$/.test(currency))
      throw new Error('"money" requires a three-letter currency, as in money: "EUR".')
    return formatNumber(value, { style: 'currency', currency: currency.toUpperCase() })
  })
  liquid.registerFilter('number', (value: unknown, digits: unknown) => {
    if (digits === undefined) return formatNumber(value, {})
    if (typeof digits !== 'number' || !(digits >= 0 && digits <= 20))
      throw new Error('"number" accepts 0 to 20 decimals, as in number: 2.')
    return formatNumber(value, { minimumFractionDigits: digits, maximumFractionDigits: digits })
  })
}

/** Characters of the format of a date: each directive in it may be up to 999 wide. */
const MAX_FORMAT_CHARACTERS = 1000

/** Formats that stand for the older filters of Liquid. */
const DATE_FILTER_FORMATS: Record<string, string> = {
  date_to_xmlschema: '%Y-%m-%dT%H:%M:%S%:z',
  date_to_string: '%d %b %Y',
  date_to_long_string: '%d %B %Y',
}

/** Replaces the filter of liquidjs, which adds dots even to a text with exactly the given number of words. */
function registerWordFilter(liquid: Liquid): void {
  liquid.registerFilter('truncatewords', function (value: unknown, most: unknown = 15, end: unknown = '...') {
    const text = printLiquidValue(value)
    const words = text.trim().split(/\s+/)
    chargeValue(this.context.memoryLimit, words)
    const count = Math.max(1, Math.trunc(Number(most)) || 1)
    return words.length > count ? `${words.slice(0, count).join(' ')}${printLiquidValue(end)}` : text
  })
}

function registerDateFilters(liquid: Liquid, local: DateFormatter): void {
  liquid.registerFilter('date', function (value: unknown, format: unknown, zone: unknown) {
    const state = getRunState(this.context)
    const requestedFormat = typeof format === 'string' && format !== '' ? format : 'medium'
    if (requestedFormat.length > MAX_FORMAT_CHARACTERS)
      throw new RenderLimitError('The format of a date has more than 1,000 characters.')
    return local.format(value, requestedFormat, typeof zone === 'string' ? { ...state, zone } : state)
  })
  for (const [name, format] of Object.entries(DATE_FILTER_FORMATS))
    liquid.registerFilter(name, function (value: unknown) {
      return local.format(value, format, getRunState(this.context))
    })
  const english = createDateFormatter('en-US')
  liquid.registerFilter('date_to_rfc822', function (value: unknown) {
    return english.format(value, '%a, %d %b %Y %H:%M:%S %z', getRunState(this.context))
  })
}
