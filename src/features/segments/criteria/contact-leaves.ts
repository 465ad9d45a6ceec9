import { sql } from 'kysely'
import { isAddressType, redListNames } from '../../../channels/facts.ts'
import { readUuid } from '../../../lib/ids.ts'
import {
  type BounceCode,
  type BounceName,
  bounceNames,
  hardCodes,
  readBounceCode,
  stoppingCodes,
} from '../../contacts/bounces/bounce-codes.ts'
import type { BounceLeaf, RedListLeaf, SubscriptionLeaf } from './criteria-types.ts'
import { readField } from './field-leaf.ts'
import type { LeafKind } from './leaf-kind.ts'
import { below, fault, isGiven, type Position, readWord } from './reading.ts'
import { contactsWithSubscription } from './subscription-leaf.ts'

export const redListLeaf: LeafKind<RedListLeaf> = {
  read(given, position) {
    const channel = isGiven(given['channel'])
      ? readWord(given['channel'], [...redListNames, 'any'] as const, below(position, 'channel'))
      : undefined
    return { type: 'redList', ...(channel && { channel }) }
  },
  formula: ({ channel = 'any' }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: sql`select r.contact from red_list r
      where r.account = ${account} and r.channel = any(${channel === 'any' ? redListNames : [channel]}::text[])`,
  }),
}

type Flag = BounceName | BounceCode | 'hard'

/** A flag is kept as the name or the number it was given as; a name in its own spelling. */
function readFlag(given: unknown, position: Position): Flag | undefined {
  const word = String(given).toLowerCase()
  if (word === 'hard') return 'hard'
  const code = readBounceCode(given)
  if (code === undefined) return fault(position, `must be one of hard, ${bounceNames.join(', ')}, or a code`)
  return bounceNames.find((name) => name.toLowerCase() === word) ?? code
}

function readFlags(given: unknown, position: Position): Flag[] | undefined {
  if (!Array.isArray(given) || given.length === 0) return fault(position, 'must be an array of names or codes')
  return given.flatMap((flag, index) => readFlag(flag, below(position, index)) ?? [])
}

function codesOf(flag: Flag): readonly BounceCode[] {
  return flag === 'hard' ? hardCodes : [readBounceCode(flag) ?? []].flat()
}

function readAddressField(given: unknown, position: Position): number | undefined {
  const field = readField(given, position)
  if (!field) return undefined
  return isAddressType(field.type)
    ? field.id
    : fault(position, 'must be a field of type email or phone: others have no bounces')
}

export const bounceLeaf: LeafKind<BounceLeaf> = {
  read(given, position) {
    const field = isGiven(given['field']) ? readAddressField(given['field'], below(position, 'field')) : undefined
    const is = isGiven(given['is']) ? readFlags(given['is'], below(position, 'is')) : undefined
    return { type: 'bounce', ...(field !== undefined && { field }), ...(is && { is }) }
  },
  formula: ({ field, is }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: sql`select b.contact from bounce_flags b
      where b.account = ${account} and b.code = any(${is ? is.flatMap(codesOf) : stoppingCodes}::smallint[])
      ${field === undefined ? sql`` : sql`and b.field = ${field}`}`,
  }),
}

export const subscriptionLeaf: LeafKind<SubscriptionLeaf> = {
  read(given, position) {
    const { application } = given
    if (!isGiven(application)) return { type: 'subscription' }
    const uuid = typeof application === 'string' ? readUuid(application) : undefined
    if (uuid === undefined) fault(below(position, 'application'), 'must be the uuid of an application')
    return { type: 'subscription', application: uuid }
  },
  formula: ({ application }, { account }) => ({
    type: 'set',
    negated: false,
    contacts: contactsWithSubscription(account, application),
  }),
}
