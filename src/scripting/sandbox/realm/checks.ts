import type { QuickJSHandle } from 'quickjs-emscripten-core'
import { locateErrorInStack } from '../faults.ts'
import type { SandboxWork } from '../messages.ts'
import type { ProgramFlaw, SandboxSourceText, ScriptPosition, SourceModule } from '../types.ts'
import { startCpuClock } from './clock.ts'
import { findParseError, wrapExpressionSource } from './expressions.ts'
import { createModuleResolver, toAuthorModuleName } from './modules.ts'
import type { Realm, RealmVisit } from './realm.ts'

type Program = Extract<SandboxWork, { type: 'check' }>
type Fault = Omit<ProgramFlaw, 'part' | 'name'>

const CHECK_MS = 1000
const NO_SOURCE = 'export default null'
/** Ends the evaluation of the module that imports it first, before anything of the author runs. */
const STOP = 'throw 0'

/** Parses in a realm that nothing was in before. What is parsed does not run. */
function visiting<T>(realm: Realm, modules: Pick<RealmVisit, 'load' | 'resolve'>, work: () => T): T {
  const clock = startCpuClock(CHECK_MS)
  realm.enter({ ask: refuse, interrupt: clock.isOver, ...modules })
  clock.begin()
  const result = work()
  realm.leave()
  return result
}

function refuse(): never {
  throw new Error('A text that is checked does not run.')
}

interface Shown {
  message: string
  stack: string
}

function shownBy(describe: (error: QuickJSHandle) => string, error: QuickJSHandle): Shown {
  return JSON.parse(error.consume(describe)) as Shown
}

function syntaxFault({ message, stack }: Shown): Fault {
  const position: ScriptPosition | undefined = locateErrorInStack(stack)
  const isTooLarge = /^(?:out of memory|stack overflow|interrupted)/.test(message)
  const type = isTooLarge ? 'limit' : 'syntax'
  const said = isTooLarge ? 'The text is too large or nested too deeply to be read.' : message
  return { type, message: said, ...(position && { position }) }
}

interface Text {
  part: ProgramFlaw['part']
  name: string | null
  file: string
  source: string
}

function textsOf({ source, imports, initializers }: Program): Text[] {
  const named = (part: 'import' | 'initializer') => (module: SourceModule) => ({
    part,
    name: module.name,
    file: `${part}:${module.name}`,
    source: module.source,
  })
  const script = source === null ? [] : [{ part: 'script' as const, name: null, file: 'script', source }]
  return [...script, ...imports.map(named('import')), ...initializers.map(named('initializer'))]
}

/**
 * Parses one module. Gives its fault and the names that it imports. A module is read by one that imports it: that of the engine's
 * interface which compiles a module alone reads memory that nothing was written to.
 */
function parseModule(realm: Realm, { file, source }: Text): { fault?: Fault; imports: string[] } {
  const imports = new Set<string>()
  const sources = new Map([
    ['stop', STOP],
    [file, source],
  ])
  let isParsed = false
  const modules = {
    load(name: string) {
      isParsed ||= name === 'parsed'
      return sources.get(name) ?? NO_SOURCE
    },
    resolve(base: string, requested: string) {
      if (base === 'probe') return requested
      if (base === file) imports.add(requested)
      return `imported:${requested}`
    },
  }
  // Modules are loaded in this order, each when the one before has been parsed; then none of them runs.
  const lines = ['stop', file, 'parsed'].map((name) => `import ${JSON.stringify(name)}`)
  return visiting(realm, modules, () => {
    const { error } = realm.context.evalCode(lines.join('\n'), 'probe', { type: 'module' })
    const fault = isParsed || !error ? undefined : syntaxFault(shownBy(realm.describe, error))
    return { fault, imports: [...imports] }
  })
}

/** Links the whole program. Its message when an export is missing. */
function linkFault(
  realm: Realm,
  texts: readonly Text[],
  find: ReturnType<typeof createModuleResolver>,
): string | undefined {
  const sources = new Map([['stop', STOP], ...texts.map(({ file, source }) => [file, source] as const)])
  const modules = {
    load: (name: string) => sources.get(name),
    resolve: (base: string, requested: string) => (base === 'probe' ? requested : find(base, requested)),
  }
  const lines = texts.map(({ file }) =>
    file === 'script' ? 'import d from "script"' : `import ${JSON.stringify(file)}`,
  )
  return visiting(realm, modules, () => {
    const { error } = realm.context.evalCode(['import "stop"', ...lines].join('\n'), 'probe', { type: 'module' })
    const shown = error && shownBy(realm.describe, error)
    return shown && /^Could not find export/.test(shown.message) ? shown.message : undefined
  })
}

/** The names of modules of which each imports the next one, the last the first. */
function cycleOf(imports: ReadonlyMap<string, readonly string[]>): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  function visit(name: string): string[] | undefined {
    if (path.includes(name)) return path.slice(path.indexOf(name))
    if (done.has(name)) return undefined
    path.push(name)
    for (const next of imports.get(name) ?? []) {
      const found = visit(next)
      if (found) return found
    }
    path.pop()
    done.add(name)
    return undefined
  }
  for (const name of imports.keys()) {
    const found = visit(name)
    if (found) return found
  }
  return undefined
}

const EXPORT = /^Could not find export '([^']*)' in module '(.*)'$/s

function exportFlaw(message: string): ProgramFlaw {
  const [, name = '', file = ''] = EXPORT.exec(message) ?? []
  const said =
    file === 'script' && name === 'default'
      ? 'The script has no default export.'
      : `"${toAuthorModuleName(file)}" has no export "${name}".`
  return { type: 'missing-export', part: 'script', name: null, message: said }
}

/** Everything that can be said against a program without running it. */
export function findProgramFlaws(realm: Realm, work: Program): ProgramFlaw[] {
  const texts = textsOf(work)
  const find = createModuleResolver(work.imports)
  const edges = new Map<string, string[]>()
  const flaws = texts.flatMap((text): ProgramFlaw[] => {
    const { part, name, file } = text
    const { fault, imports } = parseModule(realm, text)
    const found = imports.map((requested) => [requested, find(file, requested)] as const)
    const unknown = found.flatMap(([requested, module]) => (module.startsWith('import:') ? [] : [requested]))
    if (part === 'import')
      edges.set(
        name ?? '',
        found.map(([, module]) => toAuthorModuleName(module)),
      )
    return [
      ...(fault ? [{ ...fault, part, name }] : []),
      ...unknown.map((requested) => ({
        ...{ type: 'unknown-reference' as const, part, name },
        message: `There is no import "${requested}".`,
      })),
    ]
  })
  const cycle = cycleOf(edges)
  if (cycle) {
    const message = `Imports use each other: ${[...cycle, cycle[0]].join(' > ')}.`
    flaws.push({ type: 'recursion', part: 'import', name: cycle[0] ?? '', message })
  }
  if (flaws.length > 0) return flaws
  const missing = linkFault(realm, texts, find)
  return missing === undefined ? [] : [exportFlaw(missing)]
}

function parseText(realm: Realm, { kind, source }: SandboxSourceText): Fault | null {
  if (kind === 'script' || kind === 'module')
    return parseModule(realm, { part: 'script', name: null, file: 'script', source }).fault ?? null
  return visiting(realm, {}, () => {
    const errors = wrapExpressionSource(source).map((text) => findParseError(realm.context, text))
    const [shown] = errors.flatMap((error) => (error ? [shownBy(realm.describe, error)] : []))
    return shown ? syntaxFault(shown) : null
  })
}

/** The syntax error of each text, null where there is none. */
export function findSyntaxErrors(realm: Realm, texts: readonly SandboxSourceText[]): (Fault | null)[] {
  return texts.map((text) => parseText(realm, text))
}
