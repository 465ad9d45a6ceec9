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
const CODE_MEMBERS = [
  'code',
  'severity',
  'constraint',
  'schema',
  'table',
  'column',
  'dataType',
  'routine',
  'syscall',
  'errno',
  'port',
  'status',
  'statusCode',
  'responseCode',
  'kind',
]
const SAFE_CODE = /^[\w.: -]{1,100}$/

const MAX_MESSAGE_LENGTH = 1000
const MAX_FRAMES = 20
const MAX_ERRORS = 5
const MAX_DEPTH = 4

/** A character of an address other than its @; an address begins where a run of them begins. */
const ADDRESS_CHARACTER = String.raw`[^\s"'\u0060<>()[\]{},;:=/?&\\]`
const ADDRESS_PATTERN = new RegExp(
  `(?<!${ADDRESS_CHARACTER})${ADDRESS_CHARACTER}+${AT_SIGN_PATTERN}${ADDRESS_CHARACTER}+`,
  'giu',
)
const PHONE_PATTERN = /\+\d[\d .()-]{5,}\d/g
/** From the first quote to the last: a value may hold quotes itself. */
const QUOTED_TEXT = /".*"/su

/** Classes of SQLSTATE whose messages quote only names of ours: tables, columns, constraints, settings, databases. */
const NAME_QUOTING_CLASSES = /^(0[8A]|2[358]|3D|40|42(?!601)|5[3578])/

const SQLSTATE_PATTERN = /^[0-9A-Z]{5}$/

/** A text without mail addresses and phone numbers, cut to a maximum length. */
export function redactLogText(text: string): string {
  return text.slice(0, MAX_MESSAGE_LENGTH).replace(ADDRESS_PATTERN, '[address]').replace(PHONE_PATTERN, '[number]')
}

/** Returns true if quoted parts of the message may be values: errors of the database about values, and of JSON parsing. */
function quotesValues(error: Error): boolean {
  if ('severity' in error && 'code' in error && SQLSTATE_PATTERN.test(String(error.code)))
    return !NAME_QUOTING_CLASSES.test(String(error.code))
  return error instanceof SyntaxError
}

function buildSafeMessage(error: Error): string {
  const message = String(error.message)
  return redactLogText(quotesValues(error) ? message.replace(QUOTED_TEXT, '"…"') : message)
}

/** The frames alone: a stack begins with the message. */
function listStackFrames({ stack, message }: Error): string {
  if (typeof stack !== 'string') return ''
  const messageIndex = stack.indexOf(message)
  const frames = (messageIndex === -1 ? stack : stack.slice(messageIndex + message.length))
    .split('\n')
    .filter((line) => line.startsWith('    at '))
  return redactLogText(frames.slice(0, MAX_FRAMES).join('\n'))
}

function pickErrorCodes(error: Error): Record<string, unknown> {
  const errorMembers = error as unknown as Record<string, unknown>
  return Object.fromEntries(
    CODE_MEMBERS.flatMap((name) => {
      const value = errorMembers[name]
      return typeof value === 'number' || (typeof value === 'string' && SAFE_CODE.test(value)) ? [[name, value]] : []
    }),
  )
}

function describeError(error: unknown, depth: number): LoggableError {
  if (!(error instanceof Error)) {
    return { type: typeof error, message: typeof error === 'string' ? redactLogText(error) : '', stack: '' }
  }
  return {
    type: error.name,
    message: buildSafeMessage(error),
    stack: listStackFrames(error),
    ...pickErrorCodes(error),
    ...(depth > 0 && error.cause !== undefined && { cause: describeError(error.cause, depth - 1) }),
    ...(depth > 0 &&
      error instanceof AggregateError && {
        errors: error.errors.slice(0, MAX_ERRORS).map((aggregatedError) => describeError(aggregatedError, depth - 1)),
      }),
  }
}

/**
 * The loggable parts of an error, with its causes and aggregated errors: its name, its message without values, codes, names of constraints
 * and tables, and its stack. For anything else, the text or the type.
 */
export function toLoggableError(error: unknown): LoggableError | string | undefined {
  if (error === undefined) return undefined
  return typeof error === 'string' ? redactLogText(error) : describeError(error, MAX_DEPTH)
}
