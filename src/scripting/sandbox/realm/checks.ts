import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { locateErrorInStack } from '../faults.ts'
import type { SandboxWork } from '../messages.ts'
import type { ProgramFlaw, SandboxSourceText, ScriptPosition, SourceModule } from '../types.ts'
import { startCpuClock } from './clock.ts'
import { findParseError, wrapExpressionSource } from './expressions.ts'
import { createModuleResolver, toAuthorModuleName } from './modules.ts'
import type { Realm, RealmVisit } from './realm.ts'

type CheckWork = Extract<SandboxWork, { type: 'check' }>
type ProgramFault = Omit<ProgramFlaw, 'part' | 'name'>

const CHECK_MS = 1000
const NO_SOURCE = 'export default null'
/** Ends the evaluation of the module that imports it first, before anything of the author runs. */
const STOP_MODULE = 'throw 0'

/** Parses in a realm that nothing was in before. What is parsed does not run. */
function createRefusingVisit<T>(realm: Realm, moduleLoader: Pick<RealmVisit, 'load' | 'resolve'>, work: () => T): T {
  const clock = startCpuClock(CHECK_MS)
  realm.enter({ ask: refuseExecution, interrupt: clock.isOver, ...moduleLoader })
  clock.begin()
  const result = work()
  realm.leave()
  return result
}

function refuseExecution(): never {
  throw new Error('A text that is checked does not run.')
}

interface ShownError {
  message: string
  stack: string
}

function parseShownError(describe: (error: QuickJSHandle) => string, error: QuickJSHandle): ShownError {
  return JSON.parse(error.consume(describe)) as ShownError
}

function toSyntaxFault({ message, stack }: ShownError): ProgramFault {
  const position: ScriptPosition | undefined = locateErrorInStack(stack)
  const isTooLarge = /^(?:out of memory|stack overflow|interrupted)/.test(message)
  const type = isTooLarge ? 'limit' : 'syntax'
  const faultMessage = isTooLarge ? 'The text is too large or nested too deeply to parse.' : message
  return { type, message: faultMessage, ...(position && { position }) }
}

interface ProgramText {
  part: ProgramFlaw['part']
  name: string | null
  file: string
  source: string
}

function listProgramTexts({ source, imports, initializers }: CheckWork): ProgramText[] {
  const toModuleText = (part: 'import' | 'initializer') => (module: SourceModule) => ({
    part,
    name: module.name,
    file: `${part}:${module.name}`,
    source: module.source,
  })
  const script = source === null ? [] : [{ part: 'script' as const, name: null, file: 'script', source }]
  return [...script, ...imports.map(toModuleText('import')), ...initializers.map(toModuleText('initializer'))]
}

/**
 * Parses one module. Gives its fault and the names that it imports. A module is read by one that imports it: that of the engine's
 * interface which compiles a module alone reads memory that nothing was written to.
 */
function parseProgramModule(realm: Realm, { file, source }: ProgramText): { fault?: ProgramFault; imports: string[] } {
  const imports = new Set<string>()
  const moduleSources = new Map([
    ['stop', STOP_MODULE],
    [file, source],
  ])
  let isParsed = false
  const moduleLoader = {
    load(name: string) {
      isParsed ||= name === 'parsed'
      return moduleSources.get(name) ?? NO_SOURCE
    },
    resolve(base: string, requested: string) {
      if (base === 'probe') return requested
      if (base === file) imports.add(requested)
      return `imported:${requested}`
    },
  }
  // Modules are loaded in this order, each when the one before has been parsed; then none of them runs.
  const lines = ['stop', file, 'parsed'].map((name) => `import ${JSON.stringify(name)}`)
  return createRefusingVisit(realm, moduleLoader, () => {
    const { error } = realm.context.evalCode(lines.join('\n'), 'probe', { type: 'module' })
    const fault = isParsed || !error ? undefined : toSyntaxFault(parseShownError(realm.describe, error))
    return { fault, imports: [...imports] }
  })
}

/** Links the whole program. Its message when an export is missing. */
function findLinkFault(
  realm: Realm,
  programTexts: readonly ProgramText[],
  resolveModule: ReturnType<typeof createModuleResolver>,
): string | undefined {
  const moduleSources = new Map([
    ['stop', STOP_MODULE],
    ...programTexts.map(({ file, source }) => [file, source] as const),
  ])
  const moduleLoader = {
    load: (name: string) => moduleSources.get(name),
    resolve: (base: string, requested: string) => (base === 'probe' ? requested : resolveModule(base, requested)),
  }
  const lines = programTexts.map(({ file }) =>
    file === 'script' ? 'import d from "script"' : `import ${JSON.stringify(file)}`,
  )
  return createRefusingVisit(realm, moduleLoader, () => {
    const { error } = realm.context.evalCode(['import "stop"', ...lines].join('\n'), 'probe', { type: 'module' })
    const shownError = error && parseShownError(realm.describe, error)
    return shownError && /^Could not find export/.test(shownError.message) ? shownError.message : undefined
  })
}

/** The names of modules of which each imports the next one, the last the first. */
function findImportCycle(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const checkedNames = new Set<string>()
  const path: string[] = []
  function visit(name: string): string[] | undefined {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (checkedNames.has(name)) return undefined
    path.push(name)
    for (const next of imports.get(name) ?? []) {
      const visitedCycle = visit(next)
      if (visitedCycle) return visitedCycle
    }
    path.pop()
    checkedNames.add(name)
    return undefined
  }
  for (const name of imports.keys()) {
    const importCycle = visit(name)
    if (importCycle) return importCycle
  }
  return undefined
}

const MISSING_EXPORT_PATTERN = /^Could not find export '([^']*)' in module '(.*)'$/s

function toExportFlaw(message: string): ProgramFlaw {
  const [, name = '', file = ''] = MISSING_EXPORT_PATTERN.exec(message) ?? []
  const flawMessage =
    file === 'script' && name === 'default'
      ? 'The script has no default export.'
      : `"${toAuthorModuleName(file)}" has no export "${name}".`
  return { type: 'missing-export', part: 'script', name: null, message: flawMessage }
}

/** Everything that can be said against a program without running it. */
export function findProgramFlaws(realm: Realm, work: CheckWork): ProgramFlaw[] {
  const programTexts = listProgramTexts(work)
  const resolveModule = createModuleResolver(work.imports)
  const importEdges = new Map<string, string[]>()
  const flaws = programTexts.flatMap((text): ProgramFlaw[] => {
    const { part, name, file } = text
    const { fault, imports } = parseProgramModule(realm, text)
    const resolvedImports = imports.map((requested) => [requested, resolveModule(file, requested)] as const)
    const unknown = resolvedImports.flatMap(([requested, module]) => (module.startsWith('import:') ? [] : [requested]))
    if (part === 'import')
      importEdges.set(
        name ?? '',
        resolvedImports.map(([, module]) => toAuthorModuleName(module)),
      )
    return [
      ...(fault ? [{ ...fault, part, name }] : []),
      ...unknown.map((requested) => ({
        type: 'unknown-reference' as const,
        part,
        name,
        message: `There is no import "${requested}".`,
      })),
    ]
  })
  const cycleNames = findImportCycle(importEdges)
  if (cycleNames) {
    const message = `Imports form a cycle: ${[...cycleNames, cycleNames[0]].join(' > ')}.`
    flaws.push({ type: 'recursion', part: 'import', name: cycleNames[0] ?? '', message })
  }
  if (flaws.length > 0) return flaws
  const linkFaultMessage = findLinkFault(realm, programTexts, resolveModule)
  return linkFaultMessage === undefined ? [] : [toExportFlaw(linkFaultMessage)]
}

function parseSourceText(realm: Realm, { kind, source }: SandboxSourceText): ProgramFault | null {
  if (kind === 'script' || kind === 'module')
    return parseProgramModule(realm, { part: 'script', name: null, file: 'script', source }).fault ?? null
  return createRefusingVisit(realm, {}, () => {
    const errors = wrapExpressionSource(source).map((text) => findParseError(realm.context, text))
    const [shownError] = errors.flatMap((error) => (error ? [parseShownError(realm.describe, error)] : []))
    return shownError ? toSyntaxFault(shownError) : null
  })
}

/** Finds the syntax error of each text; null if there is none. */
export function findSyntaxErrors(realm: Realm, programTexts: readonly SandboxSourceText[]): (ProgramFault | null)[] {
  return programTexts.map((text) => parseSourceText(realm, text))
}
