import { sandboxLimits } from './limits.ts'
import type { ScriptError, ScriptPosition } from './types.ts'

/** Description of an error from the prelude. The author controls all of it, so it may hold any value. */
interface DescribedError {
  name: string
  message: string
  stack: string
  capability: boolean
}

const FRAME_PATTERN = /^\s*at (?:[^(]* \()?((?:script|expression|import:.+|initializer:.+)):(\d+):(\d+)\)?$/
const EXHAUSTED_PATTERN = /^(?:out of memory|stack overflow)/
/** Errors of the engine that say so: those of its parsers are errors of syntax. */
const ENGINE_ERRORS = ['InternalError', 'SyntaxError']

/** Lines of the author's text are counted without those that the sandbox puts before it. */
const PREFIX_LINES: Record<string, number> = { expression: 1 }

interface StackFrame {
  file: string
  position: ScriptPosition
  text: string
}

function parseFrames(stack: string): StackFrame[] {
  return stack.split('\n').flatMap((text) => {
    const [, file = '', line, column] = FRAME_PATTERN.exec(text) ?? []
    if (file === '') return []
    const position = { line: Math.max(1, Number(line) - (PREFIX_LINES[file] ?? 0)), column: Number(column) }
    const frameText = text.replace(/:\d+:\d+(\)?)$/, `:${position.line}:${position.column}$1`)
    return [{ file, position, text: frameText.trim() }]
  })
}

/** Locates the origin of an error: in the script itself if it is in the stack, otherwise in its imports. */
export function locateErrorInStack(stack: string): ScriptPosition | undefined {
  const frames = parseFrames(stack)
  return (frames.find(({ file }) => file === 'script' || file === 'expression') ?? frames[0])?.position
}

function parseDescription(text: string): DescribedError {
  const parsedError = JSON.parse(text) as Partial<DescribedError>
  const { name, message, stack } = parsedError
  return { name: `${name}`, message: `${message}`, stack: `${stack}`, capability: parsedError.capability === true }
}

/** The error of a run from the description that the prelude made. `isFull`: memory was taken to the end. */
export function parseScriptError(described: string, isFull: boolean): ScriptError {
  const { name, message, stack, capability } = parseDescription(described)
  if (ENGINE_ERRORS.includes(name) && EXHAUSTED_PATTERN.test(message)) return createMemoryError()
  // Without memory for an error the engine throws null.
  if (name === '' && message === 'null' && isFull) return createMemoryError()
  const frames = parseFrames(stack)
  const position = locateErrorInStack(stack)
  return {
    type: capability ? 'capability' : 'script',
    message: (message || name).slice(0, sandboxLimits.messageLength),
    ...(position && { position }),
    ...(frames.length > 0 && { stack: frames.map((frame) => frame.text).join('\n') }),
  }
}

/** A value that is no JSON, or too large. */
export function createResultError(message: string): ScriptError {
  return { type: 'result', message: message.slice(0, sandboxLimits.messageLength) }
}

export function createMemoryError(): ScriptError {
  return { type: 'memory', message: 'The script used too much memory or recursed too deeply.' }
}

const TIMEOUT_MESSAGES = {
  cpu: 'The script used too much CPU time.',
  wall: 'The script waited too long for its calls.',
  budget: 'The script did not finish within the time limit of its request.',
}

export function createTimeoutError(limit: 'cpu' | 'wall' | 'budget'): ScriptError {
  return { type: 'timeout', message: TIMEOUT_MESSAGES[limit], limit }
}

export function createBusyError(): ScriptError {
  return { type: 'busy', message: 'Too many scripts are waiting. Try again.' }
}

/** A script that cannot be run at all. */
export function createScriptError(message: string): ScriptError {
  return { type: 'script', message }
}

/** The error of work that had no end of its own. */
export function toWorkEndError(
  workEnd: 'done' | 'spoilt' | 'busy' | 'budget' | 'cpu' | 'wall' | 'memory',
): ScriptError {
  if (workEnd === 'busy') return createBusyError()
  if (workEnd === 'cpu' || workEnd === 'wall' || workEnd === 'budget') return createTimeoutError(workEnd)
  return createMemoryError()
}

/** Returns true if an error means that the engine which reported it should not be used again. */
export function isEngineExhausted({ type }: ScriptError): boolean {
  return type === 'memory'
}
