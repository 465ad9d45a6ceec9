import { AT_SIGN_PATTERN } from '../text/at-sign.ts'

/** An error as it is logged. */
export interface LoggableError {
  type: string
  message: string
  stack: string
  cause?: LoggableError
  errors?: LoggableError[]
  [fact: string]: unknown
}

/**
 * Members that are names of ours or codes, never values of rows: all others are left out. PostgreSQL's `detail`, `where`,
 * `hint` and `internalQuery` hold personal data, as do `parameters`.
 */
const FACTS = [
  ...['code', 'severity', 'constraint', 'schema', 'table', 'column', 'dataType', 'routine'],
  ...['syscall', 'errno', 'port', 'status', 'statusCode', 'responseCode', 'kind'],
]
const FACT = /^[\w.: -]{1,100}$/

const MESSAGE_LENGTH = 1000
const MAX_FRAMES = 20
const MAX_ERRORS = 5
const MAX_DEPTH = 4

/** A character of an address other than its @; an address begins where a run of them begins. */
const PART = String.raw`[^\s"'\u0060<>()[\]{},;:=/?&\\]`
const ADDRESS = new RegExp(`(?<!${PART})${PART}+${AT_SIGN_PATTERN}${PART}+`, 'giu')
const PHONE = /\+\d[\d .()-]{5,}\d/g
/** From the first quote to the last: a value may hold quotes itself. */
const QUOTED = /".*"/su

/** Classes of SQLSTATE whose messages quote only names of ours: tables, columns, constraints, settings, databases. */
const QUOTING_NAMES = /^(0[8A]|2[358]|3D|40|42(?!601)|5[3578])/

const SQLSTATE = /^[0-9A-Z]{5}$/

/** A text without mail addresses and phone numbers, cut to a maximum length. */
export function redactLogText(text: string): string {
  return text.slice(0, MESSAGE_LENGTH).replace(ADDRESS, '[address]').replace(PHONE, '[number]')
}

/** Whether quoted parts of the message may be values: errors of the database about values, and of JSON parsing. */
function quotesValues(error: Error): boolean {
  if ('severity' in error && 'code' in error && SQLSTATE.test(String(error.code)))
    return !QUOTING_NAMES.test(String(error.code))
  return error instanceof SyntaxError
}

function safeMessage(error: Error): string {
  const message = String(error.message)
  return redactLogText(quotesValues(error) ? message.replace(QUOTED, '"…"') : message)
}

/** The frames alone: a stack begins with the message. */
function framesOf({ stack, message }: Error): string {
  if (typeof stack !== 'string') return ''
  const start = stack.indexOf(message)
  const frames = (start === -1 ? stack : stack.slice(start + message.length))
    .split('\n')
    .filter((line) => line.startsWith('    at '))
  return redactLogText(frames.slice(0, MAX_FRAMES).join('\n'))
}

function factsOf(error: Error): Record<string, unknown> {
  const members = error as unknown as Record<string, unknown>
  return Object.fromEntries(
    FACTS.flatMap((name) => {
      const value = members[name]
      return typeof value === 'number' || (typeof value === 'string' && FACT.test(value)) ? [[name, value]] : []
    }),
  )
}

function describe(error: unknown, depth: number): LoggableError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: typeof error === 'string' ? redactLogText(error) : '', stack: '' }
  }
  return {
    type: error.name,
    message: safeMessage(error),
    stack: framesOf(error),
    ...factsOf(error),
    ...(depth > 0 && error.cause !== undefined && { cause: describe(error.cause, depth - 1) }),
    ...(depth > 0 &&
      error instanceof AggregateError && {
        errors: error.errors.slice(0, MAX_ERRORS).map((one) => describe(one, depth - 1)),
      }),
  }
}

/**
 * What may be logged of an error, with its causes and aggregated errors: its name, its message without values, codes, names
 * of constraints and tables, and its stack. Of anything else, the text or the type.
 */
export function toLoggableError(error: unknown): LoggableError | string | undefined {
  if (error === undefined) return undefined
  return typeof error === 'string' ? redactLogText(error) : describe(error, MAX_DEPTH)
}
