import { useQuery } from '@tanstack/react-query'
import { api, data, versioned } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import type { DocumentKind } from '../write/channel.ts'

export type RcsAction = Answer<'/channel/rcs/actions/{id}', 'get'>
export type RcsContentValue = NonNullable<RcsAction['content']>
export type Suggestion = NonNullable<RcsContentValue['suggestions']>[number]
export type Card = Extract<RcsContentValue, { type: 'card' }>['card']

/** What a suggestion of each kind begins with. */
export const BLANK: Readonly<Record<Suggestion['type'], Suggestion>> = {
  reply: { type: 'reply', text: '' },
  openUrl: { type: 'openUrl', text: '', url: 'https://', tracked: true },
  dial: { type: 'dial', text: '', phoneNumber: '+' },
  viewLocation: { type: 'viewLocation', text: '' },
  shareLocation: { type: 'shareLocation', text: '' },
  createCalendarEvent: { type: 'createCalendarEvent', text: '', startTime: '', endTime: '', title: '' },
  compose: { type: 'compose', text: '', phoneNumber: '+', message: '' },
}
export const SUGGESTION_TYPES = Object.keys(BLANK) as Suggestion['type'][]

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
const OPTIONAL = new Set([
  ...['thumbnailUrl', 'thumbnailName', 'alt', 'postback', 'description', 'label', 'query', 'message', 'sender'],
  ...['fallbackUrl', 'application', 'webviewViewMode', 'latitude', 'longitude', 'title'],
])
const isNothing = (value: unknown): boolean => value === '' || value === null

/** A content or fallback as it is sent: without texts that nobody has written. */
export function tidied<T>(part: T): T {
  if (Array.isArray(part)) return part.map(tidied) as T
  if (part === null || typeof part !== 'object') return part
  const written = Object.entries(part).filter(([name, value]) => !(isNothing(value) && OPTIONAL.has(name)))
  return Object.fromEntries(written.map(([name, value]) => [name, tidied(value)])) as T
}

/** Settings whose versions are tidied as contents are. */
function tidiedSettings({ experiment, ...others }: RcsAction['settings']): RcsAction['settings'] {
  if (!experiment) return experiment === undefined ? others : { ...others, experiment }
  return { ...others, experiment: { ...experiment, versions: tidied(experiment.versions) } }
}

const shownMember = (action: RcsAction, name: (typeof MEMBERS)[number]): unknown => {
  if (name === 'settings') return tidiedSettings(action.settings)
  return name === 'content' || name === 'fallback' ? tidied(action[name]) : action[name]
}

const MEMBERS = ['name', 'description', 'informations', 'settings', 'content', 'fallback', 'scheduler'] as const

/** Members are replaced whole, so that what was taken out of a content is gone. */
const operationsOf = (action: RcsAction) =>
  MEMBERS.filter((name) => action[name] !== undefined).map((name) => ({
    ...{ op: 'replace', path: `/${name}` },
    value: shownMember(action, name),
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

/** The agents of the account. */
export const useRcsProfiles = () =>
  useQuery({
    queryKey: ['rcsProfiles'],
    queryFn: ({ signal }) => data(api.GET('/channel/rcs/profiles', { signal })),
  })
