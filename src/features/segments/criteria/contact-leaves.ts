import { sql } from 'kysely'
import { channelRedListNames, isAddressFieldType } from '../../../channels/channel-traits.ts'
import { parseUuid } from '../../../lib/ids.ts'
import {
  type BounceCode,
  type BounceName,
  bounceNames,
  hardBounceCodes,
  parseBounceCode,
  stoppingBounceCodes,
} from '../../contacts/bounce-flags/bounce-codes.ts'
import type { BounceCriteriaLeaf, RedListCriteriaLeaf, SubscriptionCriteriaLeaf } from './criteria-types.ts'
import { parseLeafField } from './field-leaf.ts'
import type { CriteriaLeafKind } from './leaf-kind.ts'
import {
  addCriteriaFault,
  type CriteriaPosition,
  childCriteriaPosition,
  isCriteriaMemberSet,
  parseCriteriaWord,
} from './reading.ts'
import { selectSubscribedContacts } from './subscription-leaf.ts'

export const redListLeafKind: CriteriaLeafKind<RedListCriteriaLeaf> = {
  read(leafInput, position) {
    const channel = isCriteriaMemberSet(leafInput['channel'])
      ? parseCriteriaWord(
          leafInput['channel'],
          [...channelRedListNames, 'any'] as const,
          childCriteriaPosition(position, 'channel'),
        )
      : undefined
    return { type: 'redList', ...(channel && { channel }) }
  },
  formula: ({ channel = 'any' }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: sql`select r.contact from red_list r
      where r.account = ${account} and r.channel = any(${channel === 'any' ? channelRedListNames : [channel]}::text[])`,
  }),
}

type BounceFlagValue = BounceName | BounceCode | 'hard'

/** A flag is kept as the name or the number it was given as; a name in its own spelling. */
function parseFlag(rawFlag: unknown, position: CriteriaPosition): BounceFlagValue | undefined {
  const lowerCaseFlag = String(rawFlag).toLowerCase()
  if (lowerCaseFlag === 'hard') return 'hard'
  const code = parseBounceCode(rawFlag)
  if (code === undefined) return addCriteriaFault(position, `must be one of hard, ${bounceNames.join(', ')}, or a code`)
  return bounceNames.find((name) => name.toLowerCase() === lowerCaseFlag) ?? code
}

function parseFlags(rawFlags: unknown, position: CriteriaPosition): BounceFlagValue[] | undefined {
  if (!Array.isArray(rawFlags) || rawFlags.length === 0)
    return addCriteriaFault(position, 'must be an array of names or codes')
  return rawFlags.flatMap((flag, index) => parseFlag(flag, childCriteriaPosition(position, index)) ?? [])
}

function listBounceCodes(flag: BounceFlagValue): readonly BounceCode[] {
  return flag === 'hard' ? hardBounceCodes : [parseBounceCode(flag) ?? []].flat()
}

function parseAddressField(rawField: unknown, position: CriteriaPosition): number | undefined {
  const field = parseLeafField(rawField, position)
  if (!field) return undefined
  return isAddressFieldType(field.type)
    ? field.id
    : addCriteriaFault(position, 'must be a field of type email or phone: other fields have no bounces')
}

export const bounceLeafKind: CriteriaLeafKind<BounceCriteriaLeaf> = {
  read(leafInput, position) {
    const field = isCriteriaMemberSet(leafInput['field'])
      ? parseAddressField(leafInput['field'], childCriteriaPosition(position, 'field'))
      : undefined
    const is = isCriteriaMemberSet(leafInput['is'])
      ? parseFlags(leafInput['is'], childCriteriaPosition(position, 'is'))
      : undefined
    return { type: 'bounce', ...(field !== undefined && { field }), ...(is && { is }) }
  },
  formula: ({ field, is }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: sql`select b.contact from bounce_flags b
      where b.account = ${account} and b.code = any(${is ? is.flatMap(listBounceCodes) : stoppingBounceCodes}::smallint[])
      ${field === undefined ? sql`` : sql`and b.field = ${field}`}`,
  }),
}

export const subscriptionLeafKind: CriteriaLeafKind<SubscriptionCriteriaLeaf> = {
  read(leafInput, position) {
    const { application } = leafInput
    if (!isCriteriaMemberSet(application)) return { type: 'subscription' }
    const uuid = typeof application === 'string' ? parseUuid(application) : undefined
    if (uuid === undefined)
      addCriteriaFault(childCriteriaPosition(position, 'application'), 'must be the UUID of an application')
    return { type: 'subscription', application: uuid }
  },
  formula: ({ application }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: selectSubscribedContacts(account, application),
  }),
}
