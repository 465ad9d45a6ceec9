import { capabilityFunctions, type ScriptCapability } from './sandbox/functions.ts'

/** A function of the host that a script names. */
export interface HostFunctionUse {
  name: string
  capability: ScriptCapability
  /** Position in the text. */
  offset: number
}

const capabilityByFunction = new Map(
  Object.entries(capabilityFunctions).flatMap(([capability, functions]) =>
    Object.keys(functions).map((name) => [name, capability as ScriptCapability] as const),
  ),
)

const functionPatterns = [...capabilityByFunction.keys()]
  .map((name) => name.split('.').join('\\s{0,9}\\.\\s{0,9}'))
  .join('|')
/** Comments and quoted texts, to be passed over, and the names. A text that does not end does so with its line. */
const TOKEN_PATTERN = new RegExp(
  [
    '\\/\\/[^\\n]*',
    '\\/\\*[\\s\\S]*?(?:\\*\\/|$)',
    `'(?:\\\\[\\s\\S]|[^'\\\\\\n])*(?:'|\\\\?$|(?=\\n))`,
    `"(?:\\\\[\\s\\S]|[^"\\\\\\n])*(?:"|\\\\?$|(?=\\n))`,
    `(?<![\\w$.])(${functionPatterns})(?![\\w$])`,
  ].join('|'),
  'g',
)

/** The functions of the host that a script names, each where it is named first. */
export function findHostFunctionUses(source: string): HostFunctionUse[] {
  const usesByFunction = new Map<string, HostFunctionUse>()
  for (const { 1: functionName, index } of source.matchAll(TOKEN_PATTERN)) {
    const name = functionName?.replace(/\s/g, '')
    const capability = name === undefined ? undefined : capabilityByFunction.get(name)
    if (name === undefined || capability === undefined || usesByFunction.has(name)) continue
    usesByFunction.set(name, { name, capability, offset: index })
  }
  return [...usesByFunction.values()]
}
