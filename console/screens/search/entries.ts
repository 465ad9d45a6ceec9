import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useDeferredValue } from 'react'
import { apiClient, readAnswer } from '../../api/client.ts'
import { useCurrentUser } from '../../api/me.ts'
import { navigationSections } from '../../layout/bar/navigation.ts'
import { useObjectPath } from '../../layout/bar/objects.ts'
import { openLayoutDialog } from '../../layout/dialogs/dialogs.ts'
import { colourSchemeStore } from '../../layout/preferences.ts'
import { layoutTexts } from '../../layout/texts.ts'
import { useTranslator } from '../../text/catalogue.ts'
import { searchTexts } from './texts.ts'

const LIMIT = 12

/** One line of the search: where it leads, or what it does. */
export interface SearchEntry {
  key: string
  group: 'found' | 'screens' | 'commands'
  name: string
  detail?: string | undefined
  run(): void
}

const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase()

/** Every screen of the left bar that the person may open, and commands. */
function useOwnEntries(): SearchEntry[] {
  const [t, frame] = [useTranslator(searchTexts), useTranslator(layoutTexts)]
  const { navigate } = useRouter()
  const { rights } = useCurrentUser()
  const places = navigationSections.flatMap(({ key, to, parts = [] }) => [{ key, to }, ...parts])
  const shown = places.filter(
    (place, index) =>
      (!('right' in place) || place.right === undefined || rights.includes(place.right)) &&
      places.findIndex(({ to }) => to === place.to) === index,
  )
  const go = (to: string) => (): void => void navigate({ to })
  return [
    ...shown.map(({ key, to }): SearchEntry => ({ key: to, group: 'screens', name: frame(key), run: go(to) })),
    { key: '/settings/applications', group: 'screens', name: t('applications'), run: go('/settings/applications') },
    { key: '/settings/rcs', group: 'screens', name: t('rcsProfiles'), run: go('/settings/rcs') },
    ...(rights.includes('admin')
      ? [
          { key: '/set-up', group: 'screens' as const, name: t('setUp'), run: go('/set-up') },
          { key: '/captured', group: 'screens' as const, name: t('captured'), run: go('/captured') },
          { key: '/settings/gateways', group: 'screens' as const, name: t('gateways'), run: go('/settings/gateways') },
        ]
      : []),
    { key: 'light', group: 'commands', name: t('light'), run: () => colourSchemeStore.set('light') },
    { key: 'dark', group: 'commands', name: t('dark'), run: () => colourSchemeStore.set('dark') },
    { key: 'keys', group: 'commands', name: t('keys'), run: () => openLayoutDialog('keys') },
  ]
}

/** What is found by some words: contacts and objects by the service, screens and commands here. */
export function useSearchEntries(typed: string): { entries: SearchEntry[]; error: unknown; isPending: boolean } {
  const t = useTranslator(searchTexts)
  const { navigate } = useRouter()
  const pathOf = useObjectPath()
  const q = useDeferredValue(typed.trim())
  const found = useQuery({
    queryKey: ['search', q],
    queryFn: ({ signal }) => readAnswer(apiClient.GET('/search', { params: { query: { q, limit: LIMIT } }, signal })),
    enabled: q !== '',
    placeholderData: keepPreviousData,
  })
  const own = useOwnEntries().filter(({ name }) => plain(name).includes(plain(typed.trim())))
  const objects = (q === '' ? [] : (found.data ?? [])).flatMap(({ type, id, name, detail }): SearchEntry[] => {
    const path = pathOf(type, id)
    if (path === undefined) return []
    const words = [t(type), type === 'contact' ? detail : null].filter((word) => word !== null).join(' · ')
    return [{ key: `${type} ${id}`, group: 'found', name, detail: words, run: () => void navigate({ to: path }) }]
  })
  return { entries: [...objects, ...own], error: found.error, isPending: found.isFetching || q !== typed.trim() }
}
