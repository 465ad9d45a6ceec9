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
  /** The syntax error of each text, null where there is none. */
  parse(texts: readonly SandboxSourceText[], account: number): Promise<(Omit<ProgramFlaw, 'part' | 'name'> | null)[]>
}

const TOO_LONG = 'The text takes too long to be read.'

function tooLarge(bytes: number): string {
  return `The text is larger than ${bytes} bytes.`
}

/** What a thread tells of a check; undefined when it had to be ended twice: once may be the fault of a busy machine. */
async function tell(
  submit: SubmitSandboxTask,
  account: number,
  work: SandboxWork,
): Promise<SandboxWorkMessage | undefined> {
  return (await tellOnce(submit, account, work)) ?? (await tellOnce(submit, account, work))
}

async function tellOnce(
  submit: SubmitSandboxTask,
  account: number,
  work: SandboxWork,
): Promise<SandboxWorkMessage | undefined> {
  let told: SandboxWorkMessage | undefined
  const ended = await submit({
    ...{ account, cpuMs: sandboxLimits.checkMs, wallMs: Number.POSITIVE_INFINITY, work },
    onMessage: (message) => {
      if (message.type !== 'done') told = message
    },
    onCalls: () => {},
  })
  if (ended === 'busy') throw new SandboxBusyError('Too many scripts are waiting.')
  return told
}

function sizeFlaws({ source, imports = [], initializers = [] }: CheckedProgram): ProgramFlaw[] {
  const flaw = { type: 'limit', part: 'script', name: null } as const
  if (source !== null && Buffer.byteLength(source) > sandboxLimits.sourceBytes)
    return [{ ...flaw, message: tooLarge(sandboxLimits.sourceBytes) }]
  const bytes = [...imports, ...initializers].reduce((sum, module) => sum + Buffer.byteLength(module.source), 0)
  if (bytes <= sandboxLimits.importsBytes) return []
  return [{ ...flaw, part: 'import', message: `All imports together: ${tooLarge(sandboxLimits.importsBytes)}` }]
}

export function createSandboxChecks(submit: SubmitSandboxTask): SandboxChecks {
  return {
    async check(program, account) {
      const flaws = sizeFlaws(program)
      if (flaws.length > 0) return flaws
      const { source, imports = [], initializers = [] } = program
      const told = await tell(submit, account, { type: 'check', source, imports, initializers })
      if (told?.type === 'checked') return told.flaws
      return [{ type: 'limit', part: 'script', name: null, message: TOO_LONG }]
    },
    async parse(texts, account) {
      const large = texts.map(({ source }) => Buffer.byteLength(source) > sandboxLimits.sourceBytes)
      const small = texts.filter((_, index) => !large[index])
      const told = await tell(submit, account, { type: 'parse', texts: small })
      const flaws = told?.type === 'parsed' ? told.flaws.values() : undefined
      return large.map((isLarge) => {
        if (isLarge) return { type: 'limit', message: tooLarge(sandboxLimits.sourceBytes) }
        const next = flaws?.next()
        return next === undefined ? { type: 'limit', message: TOO_LONG } : (next.value ?? null)
      })
    },
  }
}
