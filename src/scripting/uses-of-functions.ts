import { capabilityFunctions, type ScriptCapability } from './sandbox/functions.ts'

/** A function of the host that a script names. */
export interface HostFunctionUse {
  name: string
  capability: ScriptCapability
  /** Where in the text. */
  offset: number
}

const owners = new Map(
  Object.entries(capabilityFunctions).flatMap(([capability, functions]) =>
    Object.keys(functions).map((name) => [name, capability as ScriptCapability] as const),
  ),
)

const names = [...owners.keys()].map((name) => name.split('.').join('\\s{0,9}\\.\\s{0,9}')).join('|')
/** Comments and quoted texts, to be passed over, and the names. A text that does not end does so with its line. */
const TOKEN = new RegExp(
  [
    ...['\\/\\/[^\\n]*', '\\/\\*[\\s\\S]*?(?:\\*\\/|$)'],
    ...[`'(?:\\\\[\\s\\S]|[^'\\\\\\n])*(?:'|\\\\?$|(?=\\n))`, `"(?:\\\\[\\s\\S]|[^"\\\\\\n])*(?:"|\\\\?$|(?=\\n))`],
    `(?<![\\w$.])(${names})(?![\\w$])`,
  ].join('|'),
  'g',
)

/** The functions of the host that a script names, each where it is named first. */
export function findHostFunctionUses(source: string): HostFunctionUse[] {
  const found = new Map<string, HostFunctionUse>()
  for (const { 1: named, index } of source.matchAll(TOKEN)) {
    const name = named?.replace(/\s/g, '')
    const capability = name === undefined ? undefined : owners.get(name)
    if (name === undefined || capability === undefined || found.has(name)) continue
    found.set(name, { name, capability, offset: index })
  }
  return [...found.values()]
}
