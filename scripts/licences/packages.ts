import { globSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'

/** The members of a package in package-lock.json that are read here. */
interface Locked {
  version: string
  license?: string
  os?: string[]
  cpu?: string[]
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

/** A package that is installed or bundled: where it is, and whether it is for one system alone. */
export interface ListedPackage {
  path: string
  name: string
  version: string
  license: string | undefined
  isOfOneSystem: boolean
}

const MODULES = 'node_modules/'
const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as { packages: Record<string, Locked> }
const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>
  devDependencies: Record<string, string>
}

/** The path at which Node finds a package from another one; undefined when it finds none. */
function pathOf(from: string, name: string): string | undefined {
  for (let base = from; ; base = base.slice(0, Math.max(0, base.lastIndexOf(`/${MODULES}`)))) {
    const path = `${base === '' ? '' : `${base}/`}${MODULES}${name}`
    if (path in lock.packages) return path
    if (base === '') return undefined
  }
}

/** The paths of packages and of all that they need. */
function closureOf(names: readonly string[]): Set<string> {
  const reached = new Set<string>()
  const add = (from: string, name: string): void => {
    const path = pathOf(from, name)
    if (path === undefined || reached.has(path)) return
    reached.add(path)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path]!
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) add(path, needed)
  }
  for (const name of names) add('', name)
  return reached
}

/** `@a/b` of `@a/b/c.css`. */
const packageOf = (specifier: string): string => specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')

/** The packages that the files of the console import. */
function importedByConsole(): string[] {
  const files = globSync('console/**/*.{ts,tsx,css}').filter((file) => !file.endsWith('vite.config.ts'))
  const specifiers = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/(?:\bfrom|\bimport|@import)\s*\(?\s*['"]([^'".][^'"]*)['"]/g)].map(
      ([, specifier = '']) => specifier,
    ),
  )
  const names = new Set(specifiers.filter((one) => !isBuiltin(one)).map(packageOf))
  return [...names].filter((name) => name in manifest.devDependencies || name in manifest.dependencies)
}

/** Lists the packages that the service runs with and that the console bundles, with their dependencies; sorted by name and version. */
export function listPackages(): ListedPackage[] {
  const paths = closureOf([...Object.keys(manifest.dependencies), ...importedByConsole()])
  return [...paths]
    .map((path) => {
      const { version, license, os, cpu } = lock.packages[path]!
      const name = path.slice(path.lastIndexOf(MODULES) + MODULES.length)
      return { path, name, version, license, isOfOneSystem: (os ?? cpu) !== undefined }
    })
    .sort((a, b) => (`${a.name} ${a.version}` < `${b.name} ${b.version}` ? -1 : 1))
}
