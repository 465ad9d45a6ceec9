import { api, data, versioned } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import type { DocumentKind } from '../write/channel.ts'

export type RcsAction = Answer<'/channel/rcs/actions/{id}', 'get'>
export type RcsContentValue = NonNullable<RcsAction['content']>
export type Suggestion = NonNullable<RcsContentValue['suggestions']>[number]
export type Card = Extract<RcsContentValue, { type: 'card' }>['card']

/** What a new content of each kind begins with, with what it can keep of the one before. */
export function contentOf(type: RcsContentValue['type'], before: RcsContentValue | null): RcsContentValue {
  const suggestions = before?.suggestions ?? []
  const text = before?.type === 'text' ? before.text : ''
  const card: Card =
    before?.type === 'card' ? before.card : (before?.type === 'carousel' && before.cards[0]) || { title: text }
  if (type === 'text') return { type, text, suggestions }
  if (type === 'file') return { type, file: { url: 'https://' }, suggestions }
  if (type === 'card') return { type, orientation: 'VERTICAL', card, suggestions }
  return { type, width: 'MEDIUM', cards: [card, { title: '' }], suggestions }
}

/** Members that are absent where nothing is written in them. */
const OPTIONAL = new Set(['thumbnailUrl', 'alt', 'postback', 'description', 'label', 'query', 'message', 'sender'])

/** A content or fallback as it is sent: without texts that nobody has written. */
export function tidied<T>(part: T): T {
  if (Array.isArray(part)) return part.map(tidied) as T
  if (part === null || typeof part !== 'object') return part
  const written = Object.entries(part).filter(([name, value]) => !(value === '' && OPTIONAL.has(name)))
  return Object.fromEntries(written.map(([name, value]) => [name, tidied(value)])) as T
}

const MEMBERS = ['name', 'description', 'settings', 'content', 'fallback', 'scheduler'] as const

/** Members are replaced whole, so that what was taken out of a content is gone. */
const operationsOf = (action: RcsAction) =>
  MEMBERS.filter((name) => action[name] !== undefined).map((name) => ({
    ...{ op: 'replace', path: `/${name}` },
    value: name === 'content' || name === 'fallback' ? tidied(action[name]) : action[name],
  }))

export const rcsKind: DocumentKind<RcsAction> = {
  name: 'rcsAction',
  read: (id, init) => versioned(api.GET('/channel/rcs/actions/{id}', { params: { path: { id } }, ...init })),
  replace: (id, action, headers) =>
    versioned(
      api.PATCH('/channel/rcs/actions/{id}', {
        params: { path: { id } },
        headers: { ...headers, 'content-type': 'application/json-patch+json' },
        body: operationsOf(action) as never,
      }),
    ),
  remove: (id) => data(api.DELETE('/channel/rcs/actions/{id}', { params: { path: { id } } })),
}
