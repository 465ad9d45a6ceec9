import { isIP } from 'node:net'
import { getDomain } from 'tldts'
import { compileLinearPattern, type LinearPattern } from '../../lib/text/linear-pattern.ts'
import type { DestinationLimits, DestinationReplyRule, DestinationTable } from './destination-table.ts'

/** A destination with all its limits, and its rules in the order they are tried. */
export interface DestinationKind extends DestinationLimits {
  name: string
  rules: readonly { pattern: LinearPattern; rule: DestinationReplyRule }[]
}

/** Finds the destination that a host belongs to. */
export type DestinationGrouping = (host: string) => DestinationKind

/** The pattern of a rule. Throws a plain Error that says what is wrong with it. */
export const compileReplyPattern = ({ pattern }: DestinationReplyRule): LinearPattern =>
  compileLinearPattern(pattern, { ignoreCase: true, dotAll: true })

const compileRules = (rules: readonly DestinationReplyRule[]) =>
  rules.map((rule) => ({ pattern: compileReplyPattern(rule), rule }))

/**
 * Groups hosts by the table; a host without a row belongs to its organisational domain (public suffix list), an
 * address to itself.
 */
export function createDestinationGrouping({ common, destinations }: DestinationTable): DestinationGrouping {
  const commonRules = compileRules(common.replies)
  const kindsBySuffix = new Map<string, DestinationKind>()
  for (const { hosts, replies = [], ...row } of destinations) {
    const kind = { ...common, ...row, rules: [...compileRules(replies), ...commonRules] }
    for (const host of hosts) if (!kindsBySuffix.has(host)) kindsBySuffix.set(host, kind)
  }
  return (hostName) => {
    const host = hostName.toLowerCase()
    const labels = host.split('.')
    for (let firstLabel = 0; firstLabel < labels.length; firstLabel++) {
      const kind = kindsBySuffix.get(labels.slice(firstLabel).join('.'))
      if (kind !== undefined) return kind
    }
    const name = isIP(host) === 0 ? (getDomain(host) ?? host) : host
    return { ...common, name, rules: commonRules }
  }
}

/** Finds the effect of a reply (`421 4.7.0 text`) on its destination: the first rule that matches. */
export function findReplyRule(
  { rules }: Pick<DestinationKind, 'rules'>,
  reply: string,
): DestinationReplyRule | undefined {
  return rules.find(({ pattern }) => pattern.isIn(reply))?.rule
}
