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
  /** Webtasks that it imports. */
  imported: ImportedWebtasks
  /** Its number, of a webtask. */
  webtask?: number | undefined
}

const MAX_CACHED_CHECKS = 1000
const SCRIPTING_PATH = '/scripting'

const toFlawPosition = (position: ScriptPosition | undefined): { position?: FlawPosition } =>
  position ? { position: { ...position, length: 1 } } : {}

function toSyntaxFlaws(
  texts: readonly CheckedText[],
  syntaxErrors: readonly (Omit<ProgramFlaw, 'part' | 'name'> | null)[],
): DefinitionFlaw[] {
  return texts.flatMap(({ path }, index) => {
    const fault = syntaxErrors[index]
    return fault ? [createFlaw(fault.type, path, fault.message, toFlawPosition(fault.position))] : []
  })
}

interface CheckedText extends SandboxSourceText {
  path: string
}

/** Texts that are parsed by themselves. */
function listCheckedTexts({ scripting, expressions }: DefinitionScripts): CheckedText[] {
  return [
    ...expressions.flatMap(({ expression: { type, value }, path }): CheckedText[] =>
      type === 'script' && value.trim() !== '' ? [{ kind: 'expression', source: value, path: `${path}/value` }] : [],
    ),
    ...(scripting.filters ?? []).map(
      ({ value }, n): CheckedText => ({
        kind: 'function',
        source: value ?? '',
        path: `${SCRIPTING_PATH}/filters/${n}/value`,
      }),
    ),
  ]
}

/** Modules that the scripts of an object have in common. */
export function listCommonModules(scripting: ScriptingObject, imported: ImportedWebtasks) {
  const { initializers } = scripting
  const initializerModules = (initializers ?? []).map(
    ({ name, value }): SourceModule => ({ name: name ?? '', source: value ?? '' }),
  )
  return { imports: buildImportedModules(scripting, imported), initializers: initializerModules }
}

type CommonModules = ReturnType<typeof listCommonModules>

/** Locates a part of a program in the object. */
function locateProgramPart(
  { part, name }: ProgramFlaw,
  { imports, initializers }: ScriptingObject,
  script: string,
): string {
  if (part === 'script') return script
  const programParts = part === 'import' ? imports : initializers
  const moduleIndex = (programParts ?? []).findIndex((namedModule) => namedModule.name === name)
  return moduleIndex < 0 ? `${SCRIPTING_PATH}/${part}s` : `${SCRIPTING_PATH}/${part}s/${moduleIndex}/value`
}

async function findProgramFlaws(
  checks: SandboxChecks,
  account: AccountId,
  { scripting, modules }: DefinitionScripts,
  common: CommonModules,
): Promise<DefinitionFlaw[]> {
  const toDefinitionFlaw = (programFlaw: ProgramFlaw, script: string) =>
    createFlaw(
      programFlaw.type,
      locateProgramPart(programFlaw, scripting, script),
      programFlaw.message,
      toFlawPosition(programFlaw.position),
    )
  const hasCommon = common.imports.length + common.initializers.length > 0
  const sharedFlaws = hasCommon ? await checks.check({ source: null, ...common }, account) : []
  const sharedMessages = new Set(sharedFlaws.map(({ message }) => message))
  const scriptFlaws = await Promise.all(
    modules.map(async ({ source, path }) =>
      (await checks.check({ source, ...common }, account))
        .filter(({ part, message }) => part === 'script' && !sharedMessages.has(message))
        .map((programFlaw) => toDefinitionFlaw(programFlaw, path)),
    ),
  )
  return [
    ...sharedFlaws.map((programFlaw) => toDefinitionFlaw(programFlaw, `${SCRIPTING_PATH}/imports`)),
    ...scriptFlaws.flat(),
  ]
}

/** Functions of the host that scripts name without being given them. */
function findCapabilityFlaws({ scripting, modules }: DefinitionScripts): DefinitionFlaw[] {
  const grantedCapabilities = new Set(listCapabilities(scripting))
  const common = [
    ...(scripting.imports ?? []).map((importedModule, n) => ({
      source: importedModule.type === 'source' ? (importedModule.value ?? '') : '',
      path: `${SCRIPTING_PATH}/imports/${n}/value`,
    })),
    ...(scripting.initializers ?? []).map(({ value }, n) => ({
      source: value ?? '',
      path: `${SCRIPTING_PATH}/initializers/${n}/value`,
    })),
  ]
  return [...modules, ...common].flatMap(({ source, path }) =>
    findHostFunctionUses(source)
      .filter(({ capability }) => !grantedCapabilities.has(capability))
      .map(({ name, capability, offset }) =>
        createFlaw('missing-capability', path, `${name} requires the capability "${capability}".`, {
          position: locateTextRange(source, offset, name.length),
        }),
      ),
  )
}

/** Results of the sandbox, by script. The same scripts are not checked again, unless a limit interrupted the check. */
const flawCache = new LRUCache<string, DefinitionFlaw[]>({ max: MAX_CACHED_CHECKS })

async function findSandboxFlaws(
  checks: SandboxChecks,
  account: AccountId,
  scripts: DefinitionScripts,
): Promise<DefinitionFlaw[]> {
  const texts = listCheckedTexts(scripts)
  const { modules, scripting, imported } = scripts
  const common = listCommonModules(scripting, imported)
  const cacheSource = JSON.stringify([texts, modules, scripting.imports, common])
  const key = createHash('sha256').update(cacheSource).digest('base64')
  const cachedFlaws = flawCache.get(key)
  if (cachedFlaws) return cachedFlaws
  const parsed = texts.length > 0 ? await checks.parse(texts, account) : []
  const flaws = [...toSyntaxFlaws(texts, parsed), ...(await findProgramFlaws(checks, account, scripts, common))]
  if (!flaws.some(({ type }) => type === 'limit')) flawCache.set(key, flaws)
  return flaws
}

/** Finds the flaws in the scripts of a definition; no script is run. Throws a 503 Problem if too many scripts wait to be checked. */
export async function findScriptFlaws(
  checks: SandboxChecks,
  account: AccountId,
  scripts: DefinitionScripts,
): Promise<DefinitionFlaw[]> {
  try {
    const { scripting, imported, webtask } = scripts
    const importFlaws = findImportFlaws(scripting, imported, webtask)
    const checkedFlaws = await findSandboxFlaws(checks, account, scripts)
    return [...findCapabilityFlaws(scripts), ...importFlaws, ...checkedFlaws]
  } catch (error) {
    if (!(error instanceof SandboxBusyError)) throw error
    throw overloadedProblem('Too many scripts are waiting. Try again.')
  }
}
