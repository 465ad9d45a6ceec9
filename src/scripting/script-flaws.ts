import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AccountId } from '../lib/account.ts'
import { overloadedProblem } from '../lib/errors/problem.ts'
import { locateTextRange } from './expressions/compile.ts'
import type { DefinitionExpression } from './expressions/expression-types.ts'
import { createFlaw, type DefinitionFlaw, type FlawPosition } from './flaws.ts'
import { buildImportedModules, findImportFlaws, type ImportedWebtasks } from './imports.ts'
import { SandboxBusyError, type SandboxChecks } from './sandbox/checking.ts'
import type { ProgramFlaw, SandboxSourceText, ScriptPosition, SourceModule } from './sandbox/types.ts'
import { listCapabilities, type ScriptingObject } from './scripting-object.ts'
import { findHostFunctionUses } from './uses-of-functions.ts'

/** The scripts of a definition, each with the pointer to it. */
export interface DefinitionScripts {
  scripting: ScriptingObject
  modules: readonly { source: string; path: string }[]
  expressions: readonly { expression: DefinitionExpression; path: string }[]
  /** What it imports of webtasks. */
  imported: ImportedWebtasks
  /** Its number, of a webtask. */
  webtask?: number | undefined
}

const MAX_KEPT = 1000
const ROOT = '/scripting'

const placeOf = (position: ScriptPosition | undefined): { position?: FlawPosition } =>
  position ? { position: { ...position, length: 1 } } : {}

function syntaxFlaws(
  texts: readonly Text[],
  found: readonly (Omit<ProgramFlaw, 'part' | 'name'> | null)[],
): DefinitionFlaw[] {
  return texts.flatMap(({ path }, index) => {
    const fault = found[index]
    return fault ? [createFlaw(fault.type, path, fault.message, placeOf(fault.position))] : []
  })
}

interface Text extends SandboxSourceText {
  path: string
}

/** Texts that are parsed by themselves. */
function textsOf({ scripting, expressions }: DefinitionScripts): Text[] {
  return [
    ...expressions.flatMap(({ expression: { type, value }, path }): Text[] =>
      type === 'script' && value.trim() !== '' ? [{ kind: 'expression', source: value, path: `${path}/value` }] : [],
    ),
    ...(scripting.filters ?? []).map(
      ({ value }, n): Text => ({ kind: 'function', source: value ?? '', path: `${ROOT}/filters/${n}/value` }),
    ),
  ]
}

/** Modules that the scripts of an object have in common. */
export function listCommonModules(scripting: ScriptingObject, imported: ImportedWebtasks) {
  const { initializers } = scripting
  const first = (initializers ?? []).map(({ name, value }): SourceModule => ({ name: name ?? '', source: value ?? '' }))
  return { imports: buildImportedModules(scripting, imported), initializers: first }
}

type CommonModules = ReturnType<typeof listCommonModules>

/** Where a part of a program stands in the object. */
function pathOf({ part, name }: ProgramFlaw, { imports, initializers }: ScriptingObject, script: string): string {
  if (part === 'script') return script
  const list = part === 'import' ? imports : initializers
  const place = (list ?? []).findIndex((one) => one.name === name)
  return place < 0 ? `${ROOT}/${part}s` : `${ROOT}/${part}s/${place}/value`
}

async function programFlaws(
  checks: SandboxChecks,
  account: AccountId,
  { scripting, modules }: DefinitionScripts,
  common: CommonModules,
): Promise<DefinitionFlaw[]> {
  const show = (found: ProgramFlaw, script: string) =>
    createFlaw(found.type, pathOf(found, scripting, script), found.message, placeOf(found.position))
  const hasCommon = common.imports.length + common.initializers.length > 0
  const shared = hasCommon ? await checks.check({ source: null, ...common }, account) : []
  const known = new Set(shared.map(({ message }) => message))
  const own = await Promise.all(
    modules.map(async ({ source, path }) =>
      (await checks.check({ source, ...common }, account))
        .filter(({ part, message }) => part === 'script' && !known.has(message))
        .map((found) => show(found, path)),
    ),
  )
  return [...shared.map((found) => show(found, `${ROOT}/imports`)), ...own.flat()]
}

/** Functions of the host that scripts name without being given them. */
function capabilityFlaws({ scripting, modules }: DefinitionScripts): DefinitionFlaw[] {
  const granted = new Set(listCapabilities(scripting))
  const common = [
    ...(scripting.imports ?? []).map((one, n) => ({
      source: one.type === 'source' ? (one.value ?? '') : '',
      path: `${ROOT}/imports/${n}/value`,
    })),
    ...(scripting.initializers ?? []).map(({ value }, n) => ({
      source: value ?? '',
      path: `${ROOT}/initializers/${n}/value`,
    })),
  ]
  return [...modules, ...common].flatMap(({ source, path }) =>
    findHostFunctionUses(source)
      .filter(({ capability }) => !granted.has(capability))
      .map(({ name, capability, offset }) =>
        createFlaw('missing-capability', path, `${name} needs the capability "${capability}".`, {
          position: locateTextRange(source, offset, name.length),
        }),
      ),
  )
}

/** What the sandbox has found, by the scripts: the same ones are not read again, unless a limit was in the way. */
const known = new LRUCache<string, DefinitionFlaw[]>({ max: MAX_KEPT })

async function sandboxFlaws(
  checks: SandboxChecks,
  account: AccountId,
  scripts: DefinitionScripts,
): Promise<DefinitionFlaw[]> {
  const texts = textsOf(scripts)
  const { modules, scripting, imported } = scripts
  const common = listCommonModules(scripting, imported)
  const whole = JSON.stringify([texts, modules, scripting.imports, common])
  const key = createHash('sha256').update(whole).digest('base64')
  const found = known.get(key)
  if (found) return found
  const parsed = texts.length > 0 ? await checks.parse(texts, account) : []
  const flaws = [...syntaxFlaws(texts, parsed), ...(await programFlaws(checks, account, scripts, common))]
  if (!flaws.some(({ type }) => type === 'limit')) known.set(key, flaws)
  return flaws
}

/** What is wrong with the scripts of a definition; none is run. Throws 503 when too many wait to be read. */
export async function findScriptFlaws(
  checks: SandboxChecks,
  account: AccountId,
  scripts: DefinitionScripts,
): Promise<DefinitionFlaw[]> {
  try {
    const { scripting, imported, webtask } = scripts
    const unknown = findImportFlaws(scripting, imported, webtask)
    const found = await sandboxFlaws(checks, account, scripts)
    return [...capabilityFlaws(scripts), ...unknown, ...found]
  } catch (error) {
    if (!(error instanceof SandboxBusyError)) throw error
    throw overloadedProblem('Too many scripts are waiting. Try again.')
  }
}
