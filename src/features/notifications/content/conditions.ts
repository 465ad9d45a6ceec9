import type { ServiceContext } from '../../../context.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'
import { buildConditionsContent, type ConditionalContent, type ConditionSource } from '../../rendering/choice.ts'
import type { PushVersion } from '../notification-schemas.ts'

/** Tags in a condition would end the one it stands in. */
const TEMPLATE_TAG_PATTERN = /\{%|%\}|\{\{|\}\}/

/** Errors of what cannot be parsed; an unknown name is only false. */
const SYNTAX_ERROR_TYPES = ['syntax', 'unknown-tag', 'unknown-filter', 'limit']

const EMPTY_SOURCE: ConditionSource = {
  culture: 'en',
  environment: {},
  fields: [],
  forms: [],
  honeypot: false,
  wantsUnsubscribeLink: false,
  analyse: false,
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
  const toVersionPointer = ({ id: of }: PushVersion) =>
    `/versions/${versions.findIndex(({ id }) => id === of)}/condition`
  const conditionalVersions = selectConditionalVersions(versions)
  const invalidVersions = conditionalVersions.filter(
    ({ condition }) => TEMPLATE_TAG_PATTERN.test(condition) || condition.trim() === '',
  )
  const faults: ProblemFault[] = invalidVersions.map((version) => ({
    pointer: toVersionPointer(version),
    detail: 'must be a condition without a tag around it, such as contact.Language == "fr"',
  }))
  const otherVersions = conditionalVersions.filter((version) => !invalidVersions.includes(version))
  if (otherVersions.length > 0) {
    const { errors } = await renders.compile(buildConditionsContent(otherVersions, EMPTY_SOURCE))
    const versionsById = new Map(otherVersions.map((version) => [version.id, version]))
    for (const { type, part, message } of errors) {
      const version = versionsById.get(part)
      if (version && SYNTAX_ERROR_TYPES.includes(type))
        faults.push({ pointer: toVersionPointer(version), detail: message })
    }
  }
  if (faults.length > 0) throw invalidRequestProblem(faults)
}
