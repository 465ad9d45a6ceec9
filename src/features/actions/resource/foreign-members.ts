import { getChannelTraits, type SendingChannelName } from '../../../channels/facts.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'

const MAX_FAULTS = 100

/** Throws 400 naming every member that the channel has nothing to do with (actions.md 7.1); of a list pointers begin with the place. */
export function requireChannelMembers(
  channel: SendingChannelName,
  items: readonly { content?: object | null }[],
  isList: boolean,
): void {
  const { foreignMembers, title } = getChannelTraits(channel)
  const faults = items.flatMap((item, index): ProblemFault[] => {
    const at = isList ? `/${index}` : ''
    const members = item as Readonly<Record<string, unknown>>
    const content = (item.content ?? {}) as Readonly<Record<string, unknown>>
    const names = [
      ...foreignMembers.item.filter((name) => members[name] != null),
      ...foreignMembers.content.filter((name) => content[name] != null).map((name) => `content/${name}`),
    ]
    return names.map((name) => ({ pointer: `${at}/${name}`, detail: `has no meaning for an ${title}` }))
  })
  if (faults.length > 0) throw invalidRequestProblem(faults.slice(0, MAX_FAULTS))
}
