import { actionId, readActionId } from '../lib/ids.ts'
import type { SourceKind } from '../lib/sources.ts'
import { type ActionType, actionChannels, type ChannelName, channelOfAction, factsOf } from './facts.ts'

/**
 * Actions that share operations, states and a form of ids on the wire. All of them are rows of one table with numbers of
 * one sequence; an operation of a family knows the actions of no other.
 */
export interface Family {
  sourceKind: SourceKind
  /** As messages name one of its actions. */
  title: string
  showId(id: number): string | number
  /** The number of an id in a path or a body; undefined for what is none. */
  readId(id: string): number | undefined
}

const NUMBER = /^[1-9]\d{0,9}$/

function readNumber(text: string): number | undefined {
  return NUMBER.test(text) && Number(text) <= 0x7fffffff ? Number(text) : undefined
}

/** Every family, by the kind of source its sendings have. */
export const families = {
  action: { sourceKind: 'action', title: 'action', showId: actionId, readId: readActionId },
  rcs: { sourceKind: 'rcs', title: 'RCS action', showId: (id: number) => id, readId: readNumber },
} as const satisfies Partial<Record<SourceKind, Family>>

export type FamilyKind = keyof typeof families

/** A family by its kind of source; undefined for what is sent without actions. */
export function familyNamed(sourceKind: SourceKind): (typeof families)[FamilyKind] | undefined {
  return Object.values(families).find((family) => family.sourceKind === sourceKind)
}

/** The family of actions of a type. */
export function familyOf(type: ActionType): (typeof families)[FamilyKind] {
  const family = familyNamed(factsOf(channelOfAction(type)).sourceKind)
  if (!family) throw new Error(`no family has actions of type ${type}`)
  return family
}

/** The types of the actions of a family. */
export function typesOf({ sourceKind }: Family): ActionType[] {
  return actionChannels
    .map((name) => factsOf(name))
    .filter((facts) => facts.sourceKind === sourceKind)
    .flatMap(({ actions }) => Object.values(actions) as ActionType[])
}

/** What a message was sent by, as callers see it: type and id of its action; of what is no action, the kind of source and its number. */
export function actionTypeOf(
  sourceKind: SourceKind,
  { channel, source, isCampaign }: { channel: ChannelName; source: number; isCampaign: boolean },
): { type: string; id: string | number } {
  const family = familyNamed(sourceKind)
  if (!family) return { type: sourceKind, id: source }
  const { actions } = factsOf(channel)
  if (!actions) throw new Error(`no actions send through ${channel}`)
  return { type: isCampaign ? actions.campaign : actions.message, id: family.showId(source) }
}
