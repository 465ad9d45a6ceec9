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

/** Names modules that authors have not named themselves. */
function namer(taken: Set<string>) {
  return (wished: string): string => {
    let name = wished
    while (taken.has(name)) name += "'"
    taken.add(name)
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
  const nameOf = namer(new Set((imports ?? []).map(({ name }) => name ?? '')))

  /** Adds a webtask under a name, and what it imports. */
  function add(id: number, name: string, isInner: boolean): void {
    const webtask = webtasks.get(id)
    if (!webtask) return
    if (!names.has(id)) names.set(id, name)
    const own: [string, string][] = []
    modules.push({ name, source: webtask.source, imports: own, isInner })
    for (const one of webtask.imports ?? []) {
      if (one.type === 'webtask') own.push([one.name ?? '', named(one.value ?? 0)])
      else {
        const inner = nameOf(`webtask ${id}/${one.name}`)
        own.push([one.name ?? '', inner])
        modules.push({ name: inner, source: one.value ?? '', imports: own, isInner: true })
      }
    }
  }

  function named(id: number): string {
    const known = names.get(id)
    if (known !== undefined) return known
    const name = nameOf(`webtask ${id}`)
    add(id, name, true)
    return name
  }

  const given = imports ?? []
  // What has a name of the author's is found under it from everywhere.
  for (const { type, name, value } of given)
    if (type === 'webtask' && value !== null && !names.has(value)) names.set(value, name ?? '')
  for (const one of given) {
    if (one.type === 'source') modules.push({ name: one.name ?? '', source: one.value ?? '' })
    else add(one.value ?? 0, one.name ?? '', false)
  }
  return modules
}

/** The webtasks on a way of imports from one to another; undefined when there is none. */
function wayBetween(from: number, to: number, webtasks: ImportedWebtasks): number[] | undefined {
  const seen = new Set<number>()
  function visit(id: number): number[] | undefined {
    if (id === to) return [id]
    if (seen.has(id)) return undefined
    seen.add(id)
    for (const next of listImportedWebtaskIds(webtasks.get(id)?.imports ?? null)) {
      const way = visit(next)
      if (way) return [id, ...way]
    }
    return undefined
  }
  return visit(from)
}

/** What is wrong with the webtasks that an object imports; `own`: its number, if it is one itself. */
export function findImportFlaws(
  { imports }: Pick<ScriptingObject, 'imports'>,
  webtasks: ImportedWebtasks,
  own?: number,
): DefinitionFlaw[] {
  return (imports ?? []).flatMap(({ type, value }, index) => {
    if (type !== 'webtask' || value === null) return []
    const path = `/scripting/imports/${index}/value`
    if (!webtasks.has(value)) return [createFlaw('unknown-reference', path, `There is no webtask ${value}.`)]
    const way = own === undefined ? undefined : wayBetween(value, own, webtasks)
    return way ? [createFlaw('recursion', path, `Webtasks import each other: ${[own, ...way].join(' > ')}.`)] : []
  })
}
