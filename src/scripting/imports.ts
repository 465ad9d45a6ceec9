import type { CreatorId } from '../lib/account.ts'
import { createFlaw, type DefinitionFlaw } from './flaws.ts'
import type { SourceModule } from './sandbox/types.ts'
import type { ScriptingObject } from './scripting-object.ts'

/** The script of a webtask that something imports. */
export interface ImportedWebtask {
  source: string
  imports: ScriptingObject['imports']
  writtenBy: CreatorId
}

/** Webtasks by their numbers: those that an object imports, and what they import in turn. */
export type ImportedWebtasks = ReadonlyMap<number, ImportedWebtask>

/** The webtasks whose scripts are imported, each once. */
export function listImportedWebtaskIds(imports: ScriptingObject['imports']): number[] {
  return [...new Set((imports ?? []).flatMap(({ type, value }) => (type === 'webtask' ? (value ?? []) : [])))]
}

/** Creates a function that names modules for which authors gave no name. */
function createModuleNamer(usedNames: Set<string>) {
  return (wished: string): string => {
    let name = wished
    while (usedNames.has(name)) name += "'"
    usedNames.add(name)
    return name
  }
}

/**
 * The modules that the scripts of an object import. A webtask is one module, however often it is imported; what it imports itself is known
 * by its own names to it alone. A webtask that there is not has no module.
 */
export function buildImportedModules(
  { imports }: Pick<ScriptingObject, 'imports'>,
  webtasks: ImportedWebtasks,
): SourceModule[] {
  const modules: SourceModule[] = []
  const names = new Map<number, string>()
  const createName = createModuleNamer(new Set((imports ?? []).map(({ name }) => name ?? '')))

  /** Adds a webtask under a name, and what it imports. */
  function addModule(id: number, name: string, isInner: boolean): void {
    const webtask = webtasks.get(id)
    if (!webtask) return
    if (!names.has(id)) names.set(id, name)
    const innerImports: [string, string][] = []
    modules.push({ name, source: webtask.source, imports: innerImports, isInner })
    for (const moduleImport of webtask.imports ?? []) {
      if (moduleImport.type === 'webtask')
        innerImports.push([moduleImport.name ?? '', nameWebtask(moduleImport.value ?? 0)])
      else {
        const innerName = createName(`webtask ${id}/${moduleImport.name}`)
        innerImports.push([moduleImport.name ?? '', innerName])
        modules.push({ name: innerName, source: moduleImport.value ?? '', imports: innerImports, isInner: true })
      }
    }
  }

  function nameWebtask(id: number): string {
    const existingName = names.get(id)
    if (existingName !== undefined) return existingName
    const name = createName(`webtask ${id}`)
    addModule(id, name, true)
    return name
  }

  const objectImports = imports ?? []
  // What has a name of the author's is found under it from everywhere.
  for (const { type, name, value } of objectImports)
    if (type === 'webtask' && value !== null && !names.has(value)) names.set(value, name ?? '')
  for (const moduleImport of objectImports) {
    if (moduleImport.type === 'source')
      modules.push({ name: moduleImport.name ?? '', source: moduleImport.value ?? '' })
    else addModule(moduleImport.value ?? 0, moduleImport.name ?? '', false)
  }
  return modules
}

/** Finds the webtasks on a path of imports from one to another. Returns `undefined` if there is no path. */
function findImportPath(from: number, to: number, webtasks: ImportedWebtasks): number[] | undefined {
  const visitedIds = new Set<number>()
  function visit(id: number): number[] | undefined {
    if (id === to) return [id]
    if (visitedIds.has(id)) return undefined
    visitedIds.add(id)
    for (const next of listImportedWebtaskIds(webtasks.get(id)?.imports ?? null)) {
      const importPath = visit(next)
      if (importPath) return [id, ...importPath]
    }
    return undefined
  }
  return visit(from)
}

/** Finds the flaws of the webtasks that an object imports. `ownWebtask` is the object's number, if it is a webtask itself. */
export function findImportFlaws(
  { imports }: Pick<ScriptingObject, 'imports'>,
  webtasks: ImportedWebtasks,
  ownWebtask?: number,
): DefinitionFlaw[] {
  return (imports ?? []).flatMap(({ type, value }, index) => {
    if (type !== 'webtask' || value === null) return []
    const path = `/scripting/imports/${index}/value`
    if (!webtasks.has(value)) return [createFlaw('unknown-reference', path, `There is no webtask ${value}.`)]
    const importPath = ownWebtask === undefined ? undefined : findImportPath(value, ownWebtask, webtasks)
    return importPath
      ? [
          createFlaw(
            'recursion',
            path,
            `Webtasks import each other in a cycle: ${[ownWebtask, ...importPath].join(' > ')}.`,
          ),
        ]
      : []
  })
}
