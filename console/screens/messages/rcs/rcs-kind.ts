import { useQuery } from '@tanstack/react-query'
import { apiClient, readVersionedAnswer } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import type { MessageDocumentKind } from '../write/channel.ts'

export type ApiRcsAction = ApiAnswer<'getRcsAction'>
export type ApiRcsContent = NonNullable<ApiRcsAction['content']>
export type ApiRcsSuggestion = NonNullable<ApiRcsContent['suggestions']>[number]
export type ApiRcsCard = Extract<ApiRcsContent, { type: 'card' }>['card']

/** Initial suggestion of each kind. */
export const BLANK_RCS_SUGGESTIONS: Readonly<Record<ApiRcsSuggestion['type'], ApiRcsSuggestion>> = {
  reply: { type: 'reply', text: '' },
  openUrl: { type: 'openUrl', text: '', url: 'https://', tracked: true },
  dial: { type: 'dial', text: '', phoneNumber: '+' },
  viewLocation: { type: 'viewLocation', text: '' },
  shareLocation: { type: 'shareLocation', text: '' },
  createCalendarEvent: { type: 'createCalendarEvent', text: '', startTime: '', endTime: '', title: '' },
  compose: { type: 'compose', text: '', phoneNumber: '+', message: '' },
}
export const RCS_SUGGESTION_TYPES = Object.keys(BLANK_RCS_SUGGESTIONS) as ApiRcsSuggestion['type'][]

/** Initial content of each kind, reusing what it can from the previous content. */
export function createRcsContent(type: ApiRcsContent['type'], before: ApiRcsContent | null): ApiRcsContent {
  const suggestions = before?.suggestions ?? []
  const text = before?.type === 'text' ? before.text : ''
  const reusedCard: ApiRcsCard =
    before?.type === 'card' ? before.card : (before?.type === 'carousel' && before.cards[0]) || { title: text }
  if (type === 'text') return { type, text, suggestions }
  if (type === 'file') return { type, file: { url: 'https://' }, suggestions }
  if (type === 'card') return { type, orientation: 'VERTICAL', card: reusedCard, suggestions }
  return { type, width: 'MEDIUM', cards: [reusedCard, { title: '' }], suggestions }
}

/** Members that are absent where nothing is written in them. */
const OPTIONAL_MEMBERS = new Set([
  'thumbnailUrl',
  'thumbnailName',
  'alt',
  'postback',
  'description',
  'label',
  'query',
  'message',
  'sender',
  'fallbackUrl',
  'application',
  'webviewViewMode',
  'latitude',
  'longitude',
  'title',
])
const isBlank = (value: unknown): boolean => value === '' || value === null

/** A content or fallback as it is sent: without texts that nobody has written. */
export function omitBlankRcsTexts<T>(part: T): T {
  if (Array.isArray(part)) return part.map(omitBlankRcsTexts) as T
  if (part === null || typeof part !== 'object') return part
  const filledEntries = Object.entries(part).filter(([name, value]) => !(isBlank(value) && OPTIONAL_MEMBERS.has(name)))
  return Object.fromEntries(filledEntries.map(([name, value]) => [name, omitBlankRcsTexts(value)])) as T
}

/** Settings whose versions are tidied as contents are. */
function cleanSettings({ experiment, ...others }: ApiRcsAction['settings']): ApiRcsAction['settings'] {
  if (!experiment) return experiment === undefined ? others : { ...others, experiment }
  return { ...others, experiment: { ...experiment, versions: omitBlankRcsTexts(experiment.versions) } }
}

const readMember = (action: ApiRcsAction, name: (typeof EDITABLE_MEMBERS)[number]): unknown => {
  if (name === 'settings') return cleanSettings(action.settings)
  return name === 'content' || name === 'fallback' ? omitBlankRcsTexts(action[name]) : action[name]
}

const EDITABLE_MEMBERS = [
  'name',
  'description',
  'informations',
  'settings',
  'content',
  'fallback',
  'scheduler',
] as const

/** Members are replaced whole, so that what was taken out of a content is gone. */
const buildPatchOperations = (action: ApiRcsAction) =>
  EDITABLE_MEMBERS.filter((name) => action[name] !== undefined).map((name) => ({
    op: 'replace',
    path: `/${name}`,
    value: readMember(action, name),
  }))

export const rcsDocumentKind: MessageDocumentKind<ApiRcsAction> = {
  name: 'rcsAction',
  read: (id, init) => readVersionedAnswer(apiClient.getRcsAction, { path: { id }, ...init }),
  replace: (id, action, headers) =>
    readVersionedAnswer(apiClient.patchRcsAction, {
      path: { id },
      headers: { ...headers, 'content-type': 'application/json-patch+json' },
      body: buildPatchOperations(action) as never,
    }),
  remove: (id) => apiClient.deleteRcsAction({ path: { id } }),
}

/** The agents of the account. */
export const useRcsProfiles = () =>
  useQuery({
    queryKey: ['rcsProfiles'],
    queryFn: ({ signal }) => apiClient.listRcsProfiles({ signal }),
  })
