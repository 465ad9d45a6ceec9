import type { TemplatePart } from '../../channels/authored.ts'
import type { Context } from '../../context.ts'
import { type Fault, invalid } from '../../lib/problem.ts'
import type { ContentSource } from '../rendering/content.ts'
import type { RenderInput } from '../rendering/render.ts'
import type { Version } from './notification-schemas.ts'

/** What a condition prints when it is true. */
const TRUE = '1'

/** Tags in a condition would end the one it stands in. */
const TAG = /\{%|%\}|\{\{|\}\}/

/** Errors of what cannot be parsed; an unknown name is only false. */
const OF_SYNTAX = ['syntax', 'unknown-tag', 'unknown-filter', 'limit']

const EMPTY: Omit<ContentSource, 'parts'> = {
  ...{ culture: 'en', environment: {}, fields: [], forms: [], honeypot: false },
  ...{ wantsUnsubscribeLink: false, analyse: false },
}

/** The versions that are chosen by a condition, in their order. */
function conditional(versions: readonly Version[]): Version[] {
  return versions.filter(({ master, condition }) => !master && condition !== null)
}

/** A condition as a part of a content, which prints something when it is true. */
function partOf({ id, condition }: Version): TemplatePart {
  return { name: id, template: `{% if ${condition} %}${TRUE}{% endif %}`, mode: 'text', links: 'tracked' }
}

/** Throws 400 for every condition that does not parse. What is wrong with its values shows when it is evaluated. */
export async function refuseConditions(
  { renders }: Pick<Context, 'renders'>,
  versions: readonly Version[],
): Promise<void> {
  const pointer = (version: Version) => `/versions/${versions.indexOf(version)}/condition`
  const asked = conditional(versions)
  const tags = asked.filter(({ condition }) => TAG.test(condition!) || condition!.trim() === '')
  const faults: Fault[] = tags.map((version) => ({
    pointer: pointer(version),
    detail: 'must be a condition without the tag around it, such as contact.Language == "fr"',
  }))
  const others = asked.filter((version) => !tags.includes(version))
  if (others.length > 0) {
    const { errors } = await renders.compile({ ...EMPTY, parts: others.map(partOf) })
    const byId = new Map(others.map((version) => [version.id, version]))
    for (const { type, part, message } of errors) {
      const version = byId.get(part)
      if (version && OF_SYNTAX.includes(type)) faults.push({ pointer: pointer(version), detail: message })
    }
  }
  if (faults.length > 0) throw invalid(faults)
}

/** What conditions are evaluated with: what the content of a version is rendered with. */
export interface ConditionScope {
  source: Omit<ContentSource, 'parts'>
  input: RenderInput
}

/** Chooses a version for a contact. */
export interface Choice {
  version: Version
  /** Conditions that could not be evaluated: they count as false. */
  failed: number
}

/**
 * Evaluates conditions for one contact: the first version whose condition is true, else the master. All are evaluated at once;
 * one by one only when one of them fails.
 */
export function openChoice({ renders }: Pick<Context, 'renders'>, versions: readonly Version[]) {
  const asked = conditional(versions)
  const master = versions.find((version) => version.master)!
  const parts = asked.map(partOf)
  const sources = new WeakMap<object, { all: ContentSource; single: ContentSource[] }>()

  function sourcesOf(source: ConditionScope['source']) {
    const known = sources.get(source)
    if (known) return known
    const made = { all: { ...source, parts }, single: parts.map((part) => ({ ...source, parts: [part] })) }
    sources.set(source, made)
    return made
  }

  async function oneByOne(single: readonly ContentSource[], input: RenderInput): Promise<Choice> {
    let failed = 0
    for (const [index, source] of single.entries()) {
      const rendered = await renders.render(source, input)
      if (rendered.outcome !== 'rendered') failed++
      else if (rendered.parts[asked[index]!.id]) return { version: asked[index]!, failed }
    }
    return { version: master, failed }
  }

  return async ({ source, input }: ConditionScope): Promise<Choice> => {
    if (asked.length === 0) return { version: master, failed: 0 }
    const { all, single } = sourcesOf(source)
    const rendered = await renders.render(all, input)
    if (rendered.outcome !== 'rendered') return oneByOne(single, input)
    return { version: asked.find(({ id }) => rendered.parts[id]) ?? master, failed: 0 }
  }
}
