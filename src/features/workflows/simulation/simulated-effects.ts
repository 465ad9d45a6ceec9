import { isDeepStrictEqual } from 'node:util'
import { pushChannelTraits } from '../../../channels/push/traits.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { EffectKind, EffectRequest, EffectRequestTypes, NodeVisit } from '../nodes/node-contract.ts'

/** Something that a run would have done. */
export interface SimulatedEffect {
  node: string
  type: string
  at: string
  value: unknown
}

type EffectDescriber<Kind extends EffectKind> = (ask: EffectRequestTypes[Kind], visit: NodeVisit) => unknown[]

/** Formats requests as simulations show them. Kinds that only read are absent. */
const effectDescribers: { [Kind in EffectKind]?: EffectDescriber<Kind> } = {
  send({ source, id, item }, { contact }) {
    const { receiver, ...otherMembers } = item
    const isRunContact =
      contact !== null && isDeepStrictEqual(receiver, { type: 'id', value: formatContactId(contact) })
    return [
      {
        [source === pushChannelTraits.sourceKind ? pushChannelTraits.name : 'action']: id,
        ...(!isRunContact && { receiver }),
        ...otherMembers,
      },
    ]
  },
  updateTarget: ({ fields, add, remove }) => [{ fields, segments: { add, remove } }],
  publish: ({ name, data }) => [{ event: name, data }],
  request: ({ method, url, headers, body }) => [{ method, url, headers, body }],
  writes: ({ answer }) => answer.writes.map(({ name, args }) => ({ call: name, arguments: args })),
  killWaiting: ({ nodes, scope, action }) => [{ nodes, scope, action }],
}

/** Lists the effects that a node's request would have had; empty if it only reads. */
export function listSimulatedEffects(ask: EffectRequest, visit: NodeVisit, type: string): SimulatedEffect[] {
  const describeEffect = effectDescribers[ask.kind] as EffectDescriber<EffectKind> | undefined
  // Capping stopped it.
  if (!describeEffect || (ask.kind === 'send' && ask.capped)) return []
  const visitTime = new Date(visit.now).toISOString()
  return describeEffect(ask as never, visit).map((value) => ({ node: visit.node, type, at: visitTime, value }))
}
