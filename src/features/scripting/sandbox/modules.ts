import type { QuickJSRuntime } from 'quickjs-emscripten-core'
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

/** Lets the engine load the texts of a program, and nothing else. */
export function provideModules(runtime: QuickJSRuntime, { script, imports, initializers }: Sources): void {
  const texts = new Map([
    ['script', script],
    ...imports.map(({ name, source }) => [`import:${name}`, source] as const),
    ...initializers.map(({ name, source }) => [`initializer:${name}`, source] as const),
  ])
  runtime.setModuleLoader(
    (name) => texts.get(name) ?? { error: new Error(`There is no import "${authorName(name)}".`) },
    (base, requested) => (base === 'prelude' ? requested : `import:${requested}`),
  )
}
