import type { Context } from '../../../context.ts'
import { type Fault, invalid } from '../../../lib/errors/problem.ts'
import { type Conditional, type ConditionSource, conditionsContent } from '../../rendering/choice.ts'
import type { Version } from '../notification-schemas.ts'

/** Tags in a condition would end the one it stands in. */
const TAG = /\{%|%\}|\{\{|\}\}/

/** Errors of what cannot be parsed; an unknown name is only false. */
const OF_SYNTAX = ['syntax', 'unknown-tag', 'unknown-filter', 'limit']

const EMPTY: ConditionSource = {
  ...{ culture: 'en', environment: {}, fields: [], forms: [], honeypot: false },
  ...{ wantsUnsubscribeLink: false, analyse: false },
}

/** The versions that are chosen by a condition, in their order. */
export function conditional(versions: readonly Version[]): (Version & Conditional)[] {
  return versions.flatMap((version) => {
    const { master, condition } = version
    return master || condition === null ? [] : [{ ...version, condition }]
  })
}

/** Throws 400 for every condition that does not parse. What is wrong with its values shows when it is evaluated. */
export async function refuseConditions(
  { renders }: Pick<Context, 'renders'>,
  versions: readonly Version[],
): Promise<void> {
  const pointer = ({ id: of }: Version) => `/versions/${versions.findIndex(({ id }) => id === of)}/condition`
  const asked = conditional(versions)
  const tags = asked.filter(({ condition }) => TAG.test(condition) || condition.trim() === '')
  const faults: Fault[] = tags.map((version) => ({
    pointer: pointer(version),
    detail: 'must be a condition without the tag around it, such as contact.Language == "fr"',
  }))
  const others = asked.filter((version) => !tags.includes(version))
  if (others.length > 0) {
    const { errors } = await renders.compile(conditionsContent(others, EMPTY))
    const byId = new Map(others.map((version) => [version.id, version]))
    for (const { type, part, message } of errors) {
      const version = byId.get(part)
      if (version && OF_SYNTAX.includes(type)) faults.push({ pointer: pointer(version), detail: message })
    }
  }
  if (faults.length > 0) throw invalid(faults)
}
