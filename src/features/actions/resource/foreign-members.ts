import { getChannelTraits, type SendingChannelName } from '../../../channels/channel-traits.ts'
import { invalidRequestProblem, type ProblemFault } from '../../../lib/errors/problem.ts'

const MAX_REPORTED_FAULTS = 100

/** Throws 400 naming every member that has no meaning for the channel. The pointers of a list start with the index of the item. */
export function requireChannelMembers(
  channel: SendingChannelName,
  items: readonly { content?: object | null }[],
  isList: boolean,
): void {
  const { foreignMembers, title } = getChannelTraits(channel)
  const faults = items.flatMap((item, index): ProblemFault[] => {
    const itemPointer = isList ? `/${index}` : ''
    const members = item as Readonly<Record<string, unknown>>
    const content = (item.content ?? {}) as Readonly<Record<string, unknown>>
    const names = [
      ...foreignMembers.item.filter((name) => members[name] != null),
      ...foreignMembers.content.filter((name) => content[name] != null).map((name) => `content/${name}`),
    ]
    return names.map((name) => ({ pointer: `${itemPointer}/${name}`, detail: `is not allowed for an ${title}` }))
  })
  if (faults.length > 0) throw invalidRequestProblem(faults.slice(0, MAX_REPORTED_FAULTS))
}
