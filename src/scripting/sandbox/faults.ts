import { sandboxLimits } from './limits.ts'
import type { ScriptError, ScriptPosition } from './types.ts'

/** What the prelude says of an error. All of it is the author's and may be anything. */
interface Described {
  name: string
  message: string
  stack: string
  capability: boolean
}

const FRAME = /^\s*at (?:[^(]* \()?((?:script|expression|import:.+|initializer:.+)):(\d+):(\d+)\)?$/
const EXHAUSTED = /^(?:out of memory|stack overflow)/
/** Errors of the engine that say so: those of its parsers are errors of syntax. */
const ENGINE_ERRORS = ['InternalError', 'SyntaxError']

/** Lines of the author's text are counted without those that the sandbox puts before it. */
const LINES_BEFORE: Record<string, number> = { expression: 1 }

interface Frame {
  file: string
  position: ScriptPosition
  text: string
}

function framesOf(stack: string): Frame[] {
  return stack.split('\n').flatMap((text) => {
    const [, file = '', line, column] = FRAME.exec(text) ?? []
    if (file === '') return []
    const position = { line: Math.max(1, Number(line) - (LINES_BEFORE[file] ?? 0)), column: Number(column) }
    const shown = text.replace(/:\d+:\d+(\)?)$/, `:${position.line}:${position.column}$1`)
    return [{ file, position, text: shown.trim() }]
  })
}

/** Where an error arose: in the script itself when it stands in its stack, else in what it imports. */
export function locateErrorInStack(stack: string): ScriptPosition | undefined {
  const frames = framesOf(stack)
  return (frames.find(({ file }) => file === 'script' || file === 'expression') ?? frames[0])?.position
}

function read(text: string): Described {
  const given = JSON.parse(text) as Partial<Described>
  const { name, message, stack } = given
  return { name: `${name}`, message: `${message}`, stack: `${stack}`, capability: given.capability === true }
}

/** The error of a run from the description that the prelude made. `isFull`: memory was taken to the end. */
export function parseScriptError(described: string, isFull: boolean): ScriptError {
  const { name, message, stack, capability } = read(described)
  if (ENGINE_ERRORS.includes(name) && EXHAUSTED.test(message)) return createMemoryError()
  // Without memory for an error the engine throws null.
  if (name === '' && message === 'null' && isFull) return createMemoryError()
  const frames = framesOf(stack)
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
  return { type: 'memory', message: 'The script took too much memory, or called itself too deeply.' }
}

const TIMEOUTS = {
  cpu: 'The script computed for too long.',
  wall: 'The script waited too long for what it called.',
  budget: 'The script was not done within the time of its request.',
}

export function createTimeoutError(limit: 'cpu' | 'wall' | 'budget'): ScriptError {
  return { type: 'timeout', message: TIMEOUTS[limit], limit }
}

export function createBusyError(): ScriptError {
  return { type: 'busy', message: 'Too many scripts are waiting. Try again.' }
}

/** A script that cannot be run at all. */
export function createScriptError(message: string): ScriptError {
  return { type: 'script', message }
}

/** The error of work that had no end of its own. */
export function toWorkEndError(ended: 'done' | 'spoilt' | 'busy' | 'budget' | 'cpu' | 'wall' | 'memory'): ScriptError {
  if (ended === 'busy') return createBusyError()
  if (ended === 'cpu' || ended === 'wall' || ended === 'budget') return createTimeoutError(ended)
  return createMemoryError()
}

/** Whether an error means that the engine that gave it should not be used again. */
export function isEngineExhausted({ type }: ScriptError): boolean {
  return type === 'memory'
}
