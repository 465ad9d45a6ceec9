import type { SourceModule } from '../types.ts'

/** The texts of a program by the names that they have in the engine. */
export interface ProgramSources {
  script: string
  imports: readonly SourceModule[]
  initializers: readonly SourceModule[]
}

/** The author's name of a module of the engine. */
export function toAuthorModuleName(file: string): string {
  return file.replace(/^(?:import|initializer|unknown):/, '')
}

/** Gives the file of a module that the text of another file imports; `unknown:` and the name where it can import none such. */
export function createModuleResolver(modules: readonly SourceModule[]): (base: string, requested: string) => string {
  const commonModules = new Map(modules.flatMap(({ name, isInner }) => (isInner ? [] : [[name, name] as const])))
  const ownImports = new Map<string, ReadonlyMap<string, string>>(
    modules.flatMap(({ name, imports }) => (imports ? [[`import:${name}`, new Map(imports)] as const] : [])),
  )
  return (base, requested) => {
    const module = (ownImports.get(base) ?? commonModules).get(requested)
    return module === undefined ? `unknown:${requested}` : `import:${module}`
  }
}

/** The texts of a program, and nothing else, for a realm. */
export function createProgramModules({ script, imports, initializers }: ProgramSources) {
  const texts = new Map([
    ['script', script],
    ...imports.map(({ name, source }) => [`import:${name}`, source] as const),
    ...initializers.map(({ name, source }) => [`initializer:${name}`, source] as const),
  ])
  const resolveModule = createModuleResolver(imports)
  return {
    load: (name: string) => texts.get(name),
    resolve: (base: string, requested: string) => (base === 'prelude' ? requested : resolveModule(base, requested)),
  }
}
