import { isDeepStrictEqual } from 'node:util'
import { pushChannelTraits } from '../../../channels/push/facts.ts'
import { formatContactId } from '../../../lib/ids.ts'
import type { EffectKind, EffectRequest, EffectRequestTypes, NodeVisit } from '../stepping/step.ts'

/** Something that a run would have done. */
export interface SimulatedEffect {
  node: string
  type: string
  at: string
  value: unknown
}

type Describe<Kind extends EffectKind> = (ask: EffectRequestTypes[Kind], visit: NodeVisit) => unknown[]

/** What is asked for, as simulations show it; kinds that only read are absent. */
const describers: { [Kind in EffectKind]?: Describe<Kind> } = {
  send({ source, id, item }, { contact }) {
    const { receiver, ...rest } = item
    const isOwn = contact !== null && isDeepStrictEqual(receiver, { type: 'id', value: formatContactId(contact) })
    return [
      {
        [source === pushChannelTraits.sourceKind ? pushChannelTraits.name : 'action']: id,
        ...(!isOwn && { receiver }),
        ...rest,
      },
    ]
  },
  updateTarget: ({ fields, add, remove }) => [{ fields, segments: { add, remove } }],
  publish: ({ name, data }) => [{ event: name, data }],
  request: ({ method, url, headers, body }) => [{ method, url, headers, body }],
  writes: ({ answer }) => answer.writes.map(({ name, args }) => ({ call: name, arguments: args })),
  killWaiting: ({ nodes, scope, action }) => [{ nodes, scope, action }],
}

/** What a node would have done by asking for something; nothing for what only reads. */
export function listSimulatedEffects(ask: EffectRequest, visit: NodeVisit, type: string): SimulatedEffect[] {
  const describe = describers[ask.kind] as Describe<EffectKind> | undefined
  // Capping stopped it.
  if (!describe || (ask.kind === 'send' && ask.capped)) return []
  const at = new Date(visit.now).toISOString()
  return describe(ask as never, visit).map((value) => ({ node: visit.node, type, at, value }))
}
