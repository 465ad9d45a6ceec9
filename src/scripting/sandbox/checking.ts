import { sandboxLimits } from './limits.ts'
import type { SandboxWork } from './messages.ts'
import type { SandboxWorkMessage, SubmitSandboxTask } from './task.ts'
import type { ProgramFlaw, SandboxSourceText, SourceModule } from './types.ts'

/** A program to be checked: without `source` its imports and initializers alone. */
export interface CheckedProgram {
  source: string | null
  imports?: readonly SourceModule[]
  initializers?: readonly SourceModule[]
}

/** The sandbox had no place for a check: it can be tried again. */
export class SandboxBusyError extends Error {}

/** Checks texts without running them. All reject with SandboxBusyError when too many wait. */
export interface SandboxChecks {
  /** Syntax, exports and imports of a whole program. */
  check(program: CheckedProgram, account: number): Promise<ProgramFlaw[]>
  /** Finds the syntax error of each text; null if there is none. */
  parse(texts: readonly SandboxSourceText[], account: number): Promise<(Omit<ProgramFlaw, 'part' | 'name'> | null)[]>
}

const TOO_LONG_MESSAGE = 'The text takes too long to parse.'

function formatSizeLimit(bytes: number): string {
  return `The text is larger than ${bytes} bytes.`
}

/** Runs a check in a thread. Returns `undefined` if the check had to be ended twice: the first time may be due to a busy machine. */
async function runCheck(
  submit: SubmitSandboxTask,
  account: number,
  work: SandboxWork,
): Promise<SandboxWorkMessage | undefined> {
  return (await runCheckOnce(submit, account, work)) ?? (await runCheckOnce(submit, account, work))
}

async function runCheckOnce(
  submit: SubmitSandboxTask,
  account: number,
  work: SandboxWork,
): Promise<SandboxWorkMessage | undefined> {
  let threadMessage: SandboxWorkMessage | undefined
  const workEnd = await submit({
    account,
    cpuMs: sandboxLimits.checkMs,
    wallMs: Number.POSITIVE_INFINITY,
    work,
    onMessage: (message) => {
      if (message.type !== 'done') threadMessage = message
    },
    onCalls: () => {},
  })
  if (workEnd === 'busy') throw new SandboxBusyError('Too many scripts are waiting.')
  return threadMessage
}

function findSizeFlaws({ source, imports = [], initializers = [] }: CheckedProgram): ProgramFlaw[] {
  const limitFlaw = { type: 'limit', part: 'script', name: null } as const
  if (source !== null && Buffer.byteLength(source) > sandboxLimits.sourceBytes)
    return [{ ...limitFlaw, message: formatSizeLimit(sandboxLimits.sourceBytes) }]
  const moduleBytes = [...imports, ...initializers].reduce((sum, module) => sum + Buffer.byteLength(module.source), 0)
  if (moduleBytes <= sandboxLimits.importsBytes) return []
  return [
    { ...limitFlaw, part: 'import', message: `All imports together: ${formatSizeLimit(sandboxLimits.importsBytes)}` },
  ]
}

export function createSandboxChecks(submit: SubmitSandboxTask): SandboxChecks {
  return {
    async check(program, account) {
      const flaws = findSizeFlaws(program)
      if (flaws.length > 0) return flaws
      const { source, imports = [], initializers = [] } = program
      const threadMessage = await runCheck(submit, account, { type: 'check', source, imports, initializers })
      if (threadMessage?.type === 'checked') return threadMessage.flaws
      return [{ type: 'limit', part: 'script', name: null, message: TOO_LONG_MESSAGE }]
    },
    async parse(texts, account) {
      const tooLargeFlags = texts.map(({ source }) => Buffer.byteLength(source) > sandboxLimits.sourceBytes)
      const parseableTexts = texts.filter((_, index) => !tooLargeFlags[index])
      const threadMessage = await runCheck(submit, account, { type: 'parse', texts: parseableTexts })
      const flaws = threadMessage?.type === 'parsed' ? threadMessage.flaws.values() : undefined
      return tooLargeFlags.map((isLarge) => {
        if (isLarge) return { type: 'limit', message: formatSizeLimit(sandboxLimits.sourceBytes) }
        const next = flaws?.next()
        return next === undefined ? { type: 'limit', message: TOO_LONG_MESSAGE } : (next.value ?? null)
      })
    },
  }
}
