import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { apiClient } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { navigationSections } from '../../layout/bar/navigation.ts'
import { useObjectPath } from '../../layout/bar/objects.ts'
import { openLayoutDialog } from '../../layout/dialogs/dialogs.ts'
import { useCreateOnPage } from '../../layout/dialogs/keys.tsx'
import { colourSchemeStore } from '../../layout/preferences.ts'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { rankMatch } from './match.ts'
import { searchTexts } from './texts.ts'

const MAX_RESULTS = 12

/** One line of the search: where it leads, or what it does. */
export interface SearchEntry {
  key: string
  group: 'found' | 'screens' | 'commands'
  name: string
  detail?: string | undefined
  run(): void
}

/** What can be created from anywhere: on a page of its own, or by the key `c` of its list. */
const CREATED_OBJECTS = [
  { key: 'createCampaign', to: '/messages' },
  { key: 'createContact', to: '/contacts' },
  { key: 'createSegment', to: '/segments/new', isPage: true },
  { key: 'createImport', to: '/imports/new', isPage: true },
  { key: 'createWorkflow', to: '/workflows' },
] satisfies { key: keyof typeof en; to: string; isPage?: true }[]

/** Every screen of the left bar that the person may open, and commands. */
function useConsoleEntries(): SearchEntry[] {
  const [t, layoutT] = [useTranslator(searchTexts), useTranslator(layoutTexts)]
  const { navigate } = useRouter()
  const { rights } = useCurrentUser()
  const navigationTargets = navigationSections.flatMap(({ parts = [], ...section }) => [section, ...parts])
  const visibleTargets = navigationTargets.filter(
    (place, index) =>
      !place.isOutside &&
      (place.right === undefined || rights.includes(place.right)) &&
      navigationTargets.findIndex(({ key }) => key === place.key) === index,
  )
  const createAt = useCreateOnPage()
  const createNavigation = (to: string) => (): void => void navigate({ to })
  return [
    ...visibleTargets.map(
      ({ key, to }): SearchEntry => ({
        key: `screen-${key}`,
        group: 'screens',
        name: layoutT(key),
        run: createNavigation(to),
      }),
    ),
    ...(rights.includes('admin')
      ? [
          { key: '/set-up', group: 'screens' as const, name: t('setUp'), run: createNavigation('/set-up') },
          { key: '/captured', group: 'screens' as const, name: t('captured'), run: createNavigation('/captured') },
        ]
      : []),
    ...(rights.includes('write')
      ? CREATED_OBJECTS.map(
          ({ key, to, isPage }): SearchEntry => ({
            key,
            group: 'commands',
            name: t(key as keyof typeof en),
            run: isPage ? createNavigation(to) : () => void createAt(to),
          }),
        )
      : []),
    { key: 'light', group: 'commands', name: t('light'), run: () => colourSchemeStore.set('light') },
    { key: 'dark', group: 'commands', name: t('dark'), run: () => colourSchemeStore.set('dark') },
    { key: 'keys', group: 'commands', name: t('keys'), run: () => openLayoutDialog('keys') },
  ]
}

/** Search results: contacts and objects from the service, screens and commands of the console. */
export function useSearchEntries(typed: string): { entries: SearchEntry[]; error: unknown; isPending: boolean } {
  const t = useTranslator(searchTexts)
  const { navigate } = useRouter()
  const findObjectPath = useObjectPath()
  const searchText = useDeferredValue(typed.trim())
  const searchQuery = useQuery({
    queryKey: ['search', searchText],
    queryFn: ({ signal }) => apiClient.search({ query: { q: searchText, limit: MAX_RESULTS }, signal }),
    enabled: searchText !== '',
    placeholderData: keepPreviousData,
  })
  const matchingEntries = useConsoleEntries()
    .map((entry) => ({ entry, rank: rankMatch(entry.name, typed) }))
    .filter(({ rank }) => rank !== undefined)
    .sort((a, b) => (a.rank ?? 0) - (b.rank ?? 0))
    .map(({ entry }) => entry)
  const objectEntries = (searchText === '' ? [] : (searchQuery.data ?? [])).flatMap(
    ({ type, id, name, detail }): SearchEntry[] => {
      const path = findObjectPath(type, id)
      if (path === undefined) return []
      const detailWords = [t(type), type === 'contact' ? detail : null].filter((word) => word !== null).join(' · ')
      return [
        { key: `${type} ${id}`, group: 'found', name, detail: detailWords, run: () => void navigate({ to: path }) },
      ]
    },
  )
  return {
    entries: [...objectEntries, ...matchingEntries],
    error: searchQuery.error,
    isPending: searchQuery.isFetching || searchText !== typed.trim(),
  }
}
