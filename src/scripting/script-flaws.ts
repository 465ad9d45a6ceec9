import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { AccountId } from '../lib/account.ts'
import { overloaded } from '../lib/errors/problem.ts'
import { positionOf } from './expressions/compile.ts'
import type { Expression } from './expressions/expression-types.ts'
import { type Flaw, type FlawPosition, flaw } from './flaws.ts'
import { type ImportedWebtasks, importedModules, importFlaws } from './imports.ts'
import { type Checks, SandboxBusy } from './sandbox/checking.ts'
import type { Position, ProgramFlaw, SourceModule, SourceText } from './sandbox/types.ts'
import { capabilitiesOf, type Scripting } from './scripting-object.ts'
import { usesOfFunctions } from './uses-of-functions.ts'

/** The scripts of a definition, each with the pointer to it. */
export interface Scripts {
  scripting: Scripting
  modules: readonly { source: string; path: string }[]
  expressions: readonly { expression: Expression; path: string }[]
  /** What it imports of webtasks. */
  imported: ImportedWebtasks
  /** Its number, of a webtask. */
  webtask?: number | undefined
}

const MAX_KEPT = 1000
const ROOT = '/scripting'

const placeOf = (position: Position | undefined): { position?: FlawPosition } =>
  position ? { position: { ...position, length: 1 } } : {}

function syntaxFlaws(texts: readonly Text[], found: readonly (Omit<ProgramFlaw, 'part' | 'name'> | null)[]): Flaw[] {
  return texts.flatMap(({ path }, index) => {
    const fault = found[index]
    return fault ? [flaw(fault.type, path, fault.message, placeOf(fault.position))] : []
  })
}

interface Text extends SourceText {
  path: string
}

/** Texts that are parsed by themselves. */
function textsOf({ scripting, expressions }: Scripts): Text[] {
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
export function commonModules(scripting: Scripting, imported: ImportedWebtasks) {
  const { initializers } = scripting
  const first = (initializers ?? []).map(({ name, value }): SourceModule => ({ name: name ?? '', source: value ?? '' }))
  return { imports: importedModules(scripting, imported), initializers: first }
}

type CommonModules = ReturnType<typeof commonModules>

/** Where a part of a program stands in the object. */
function pathOf({ part, name }: ProgramFlaw, { imports, initializers }: Scripting, script: string): string {
  if (part === 'script') return script
  const list = part === 'import' ? imports : initializers
  const place = (list ?? []).findIndex((one) => one.name === name)
  return place < 0 ? `${ROOT}/${part}s` : `${ROOT}/${part}s/${place}/value`
}

async function programFlaws(
  checks: Checks,
  account: AccountId,
  { scripting, modules }: Scripts,
  common: CommonModules,
): Promise<Flaw[]> {
  const show = (found: ProgramFlaw, script: string) =>
    flaw(found.type, pathOf(found, scripting, script), found.message, placeOf(found.position))
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
function capabilityFlaws({ scripting, modules }: Scripts): Flaw[] {
  const granted = new Set(capabilitiesOf(scripting))
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
    usesOfFunctions(source)
      .filter(({ capability }) => !granted.has(capability))
      .map(({ name, capability, offset }) =>
        flaw('missing-capability', path, `${name} needs the capability "${capability}".`, {
          position: positionOf(source, offset, name.length),
        }),
      ),
  )
}

/** What the sandbox has found, by the scripts: the same ones are not read again, unless a limit was in the way. */
const known = new LRUCache<string, Flaw[]>({ max: MAX_KEPT })

async function sandboxFlaws(checks: Checks, account: AccountId, scripts: Scripts): Promise<Flaw[]> {
  const texts = textsOf(scripts)
  const { modules, scripting, imported } = scripts
  const common = commonModules(scripting, imported)
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
export async function scriptFlaws(checks: Checks, account: AccountId, scripts: Scripts): Promise<Flaw[]> {
  try {
    const { scripting, imported, webtask } = scripts
    const unknown = importFlaws(scripting, imported, webtask)
    const found = await sandboxFlaws(checks, account, scripts)
    return [...capabilityFlaws(scripts), ...unknown, ...found]
  } catch (error) {
    if (!(error instanceof SandboxBusy)) throw error
    throw overloaded('Too many scripts are waiting. Try again.')
  }
}
