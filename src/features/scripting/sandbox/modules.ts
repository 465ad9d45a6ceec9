import type { SourceModule } from './types.ts'

/** The texts of a program by the names that they have in the engine. */
export interface Sources {
  script: string
  imports: readonly SourceModule[]
  initializers: readonly SourceModule[]
}

/** The author's name of a module of the engine. */
export function authorName(file: string): string {
  return file.replace(/^(?:import|initializer):/, '')
}

/** The texts of a program, and nothing else, for a realm. */
export function modulesOf({ script, imports, initializers }: Sources) {
  const texts = new Map([
    ['script', script],
    ...imports.map(({ name, source }) => [`import:${name}`, source] as const),
    ...initializers.map(({ name, source }) => [`initializer:${name}`, source] as const),
  ])
  return {
    load: (name: string) => texts.get(name),
    resolve: (base: string, requested: string) => (base === 'prelude' ? requested : `import:${requested}`),
  }
}
