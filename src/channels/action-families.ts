import { formatActionId, parseActionId } from '../lib/ids.ts'
import { MAX_INT32 } from '../lib/int32.ts'
import type { SentSourceKind } from '../lib/sources.ts'
import {
  actionChannelNames,
  type ChannelActionType,
  getActionChannel,
  getChannelTraits,
  type SendingChannelName,
} from './channel-traits.ts'

/**
 * Actions that share operations, states and a form of ids on the wire. All of them are rows of one table with numbers of
 * one sequence; an operation of a family knows the actions of no other.
 */
export interface ActionFamily {
  sourceKind: SentSourceKind
  /** As messages name one of its actions. */
  title: string
  showId(id: number): string | number
  /** Parses the numeric id in a path or a body; `undefined` if it is invalid. */
  readId(id: string): number | undefined
}

const ID_PATTERN = /^[1-9]\d{0,9}$/

function parseNumericId(text: string): number | undefined {
  return ID_PATTERN.test(text) && Number(text) <= MAX_INT32 ? Number(text) : undefined
}

/** Every family, by the kind of source its sendings have. */
export const actionFamilies = {
  action: { sourceKind: 'action', title: 'action', showId: formatActionId, readId: parseActionId },
  rcs: { sourceKind: 'rcs', title: 'RCS action', showId: (id: number) => id, readId: parseNumericId },
} as const satisfies Partial<Record<SentSourceKind, ActionFamily>>

export type ActionFamilyKind = keyof typeof actionFamilies

/** A family by its kind of source; undefined for what is sent without actions. */
export function findActionFamily(sourceKind: SentSourceKind): (typeof actionFamilies)[ActionFamilyKind] | undefined {
  return Object.values(actionFamilies).find((family) => family.sourceKind === sourceKind)
}

/** The family of actions of a type. */
export function getActionFamily(type: ChannelActionType): (typeof actionFamilies)[ActionFamilyKind] {
  const family = findActionFamily(getChannelTraits(getActionChannel(type)).sourceKind)
  if (!family) throw new Error(`no family has actions of type ${type}`)
  return family
}

/** The types of the actions of a family. */
export function listFamilyActionTypes({ sourceKind }: ActionFamily): ChannelActionType[] {
  return actionChannelNames
    .map((name) => getChannelTraits(name))
    .filter((traits) => traits.sourceKind === sourceKind)
    .flatMap(({ actions }) => Object.values(actions) as ChannelActionType[])
}

/** Describes the source of a message for API callers: type and id of its action. If the source is not an action, its kind and number. */
export function describeMessageSource(
  sourceKind: SentSourceKind,
  { channel, source, isCampaign }: { channel: SendingChannelName; source: number; isCampaign: boolean },
): { type: string; id: string | number } {
  const family = findActionFamily(sourceKind)
  if (!family) return { type: sourceKind, id: source }
  const { actions } = getChannelTraits(channel)
  if (!actions) throw new Error(`no actions send through ${channel}`)
  return { type: isCampaign ? actions.campaign : actions.message, id: family.showId(source) }
}
