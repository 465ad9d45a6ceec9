import type { ServiceContext } from '../../../context.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { buildConditionsContent, type ConditionalContent, type ConditionSource } from '../../rendering/choice.ts'
import type { PushVersion } from '../notification-schemas.ts'

/** Tags in a condition would end the one it stands in. */
const TAG = /\{%|%\}|\{\{|\}\}/

/** Errors of what cannot be parsed; an unknown name is only false. */
const OF_SYNTAX = ['syntax', 'unknown-tag', 'unknown-filter', 'limit']

const EMPTY: ConditionSource = {
  ...{ culture: 'en', environment: {}, fields: [], forms: [], honeypot: false },
  ...{ wantsUnsubscribeLink: false, analyse: false },
}

/** The versions that are chosen by a condition, in their order. */
export function selectConditionalVersions(versions: readonly PushVersion[]): (PushVersion & ConditionalContent)[] {
  return versions.flatMap((version) => {
    const { master, condition } = version
    return master || condition === null ? [] : [{ ...version, condition }]
  })
}

/** Throws 400 for every condition that does not parse. What is wrong with its values shows when it is evaluated. */
export async function requireValidConditions(
  { renders }: Pick<ServiceContext, 'renders'>,
  versions: readonly PushVersion[],
): Promise<void> {
  const pointer = ({ id: of }: PushVersion) => `/versions/${versions.findIndex(({ id }) => id === of)}/condition`
  const asked = selectConditionalVersions(versions)
  const tags = asked.filter(({ condition }) => TAG.test(condition) || condition.trim() === '')
  const faults: ProblemFault[] = tags.map((version) => ({
    pointer: pointer(version),
    detail: 'must be a condition without the tag around it, such as contact.Language == "fr"',
  }))
  const others = asked.filter((version) => !tags.includes(version))
  if (others.length > 0) {
    const { errors } = await renders.compile(buildConditionsContent(others, EMPTY))
    const byId = new Map(others.map((version) => [version.id, version]))
    for (const { type, part, message } of errors) {
      const version = byId.get(part)
      if (version && OF_SYNTAX.includes(type)) faults.push({ pointer: pointer(version), detail: message })
    }
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
