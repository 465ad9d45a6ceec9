import { LiquidError } from 'liquidjs'

/** The name of a part of a content: each channel has its own. */
export type ContentPartName = string

/** Line and column, both from 1. */
export interface TemplatePosition {
  line: number
  column: number
}

export type ContentErrorType =
  | 'syntax'
  | 'unknown-tag'
  | 'unknown-filter'
  | 'unknown-field'
  | 'unknown-reference'
  | 'unsafe-link'
  | 'sender'
  | 'stop-mention'
  | 'limit'
  | 'sms-length'
  | 'sms-alphabet'
  | 'render'

export type ContentFindingType =
  | 'unknown-variable'
  | 'link-type'
  | 'link-relative'
  | 'merge-tag'
  | 'conditional-comment'
  | 'raw-value'
  | 'domain-substituted'
  | 'dead-link'
  | 'image-svg'
  | 'image-text'
  | 'no-unsubscribe-link'
  | 'size'

/** One error or finding of a content, as tests, validations and renders show it. */
export interface ContentFlaw<T extends string = ContentErrorType | ContentFindingType> {
  type: T
  message: string
  part: ContentPartName
  position: TemplatePosition | null
}

/** Maximum number of errors, and of findings, reported for a content: locating thousands of them would take minutes. */
export const MAX_REPORTED_FLAWS = 100

/** Adds a flaw, unless there are enough; its place is looked up only then. */
export function addFlaw<T extends string>(
  flaws: ContentFlaw<T>[],
  flaw: Omit<ContentFlaw<T>, 'position'>,
  position: () => TemplatePosition | null,
): void {
  if (flaws.length < MAX_REPORTED_FLAWS) flaws.push({ ...flaw, position: position() })
}

/** Thrown by a template that says `{% cancel %}`. */
export class MessageCancelledError extends Error {}

/** Thrown when a template asks for more time, memory, steps or output than it may have. */
export class RenderLimitError extends Error {}

/** Thrown by `tracked` when what it is given is not an address one can be led to. */
export class UnsafeLinkError extends Error {}

/** Every single error inside what liquidjs threw: it collects them, level by level, in errors of their own. */
export function flattenLiquidErrors(error: unknown): unknown[] {
  if (error instanceof Error && 'errors' in error && Array.isArray(error.errors))
    return error.errors.flatMap(flattenLiquidErrors)
  // Of a tag that holds tags, such as `liquid`, the error has no words of its own.
  if (LiquidError.is(error) && error.originalError instanceof AggregateError)
    return flattenLiquidErrors(error.originalError)
  return [error]
}

/** Original error that liquidjs wrapped. */
export function unwrapLiquidError(error: unknown): unknown {
  return LiquidError.is(error) && error.originalError !== undefined ? unwrapLiquidError(error.originalError) : error
}

/** The line and column of a place in a text. */
export function computeTextPosition(text: string, offset: number): TemplatePosition {
  const lineBreak = text.lastIndexOf('\n', offset - 1)
  let line = 1
  for (
    let newlineIndex = text.indexOf('\n');
    newlineIndex !== -1 && newlineIndex < offset;
    newlineIndex = text.indexOf('\n', newlineIndex + 1)
  )
    line++
  return { line, column: offset - lineBreak }
}

/** Words that belong to a block: one on its own is a fault of syntax, not an unknown tag. */
const BLOCK_WORD_PATTERN = /^tag "(end\w*|else|elsif|when)" not found/

/** liquidjs messages and the kind of error that each one means. The first match applies; all others are syntax errors. */
const SYNTAX_ERROR_TYPES: [RegExp, ContentErrorType][] = [
  [BLOCK_WORD_PATTERN, 'syntax'],
  [/^tag ".*" not found/, 'unknown-tag'],
  [/^undefined filter: /, 'unknown-filter'],
  [/limit exceeded|call stack/, 'limit'],
]

/** The kind and the words of one error found while parsing. */
export function describeSyntaxError(error: unknown): { type: ContentErrorType; message: string } {
  const message = extractMessage(error)
  const type = SYNTAX_ERROR_TYPES.find(([pattern]) => pattern.test(message))?.[1] ?? 'syntax'
  return { type, message }
}

/** The kind and the words of one error met while rendering. */
export function describeRenderError(error: unknown): { type: ContentErrorType; message: string } {
  const cause = unwrapLiquidError(error)
  const message = extractMessage(cause)
  if (cause instanceof RenderLimitError || isLimitExceeded(cause)) return { type: 'limit', message }
  if (cause instanceof UnsafeLinkError) return { type: 'unsafe-link', message }
  return { type: 'render', message }
}

/** The message without the place that liquidjs adds to it: positions are kept apart from messages. */
function extractMessage(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return message.replace(/(?:, line:\d{1,9}, col:\d{1,9}){1,9}$/, '')
}

/** True if the error is caused by a template, or by a value in it; all other errors are internal. */
export function isTemplateError(error: unknown): boolean {
  return LiquidError.is(error) || error instanceof RenderLimitError || isLimitExceeded(error)
}

/** True if JavaScript's own limits for strings, arrays or recursion were exceeded. */
function isLimitExceeded(error: unknown): boolean {
  return error instanceof RangeError && /length|call stack/.test(error.message)
}

/** The path that is not there, when that is the error of a strict rendering. */
export function findUndefinedPath(error: unknown): string | undefined {
  const cause = unwrapLiquidError(error)
  const isUndefined = cause instanceof Error && cause.name === 'InternalUndefinedVariableError'
  return isUndefined && 'variableName' in cause ? String(cause.variableName) : undefined
}

/** Offset of the error in the text that liquidjs parsed; `undefined` if liquidjs does not report it. */
export function findErrorOffset(error: unknown): number | undefined {
  return LiquidError.is(error) ? error.token.begin : undefined
}
