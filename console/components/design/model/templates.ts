import { useQuery } from '@tanstack/react-query'
import { apiClient } from '../../../api/client.ts'
import type { ApiAnswer } from '../../../api/shapes.ts'
import { useLocale } from '../../../text/locale.ts'
import type { ApiDesign } from './shapes.ts'

export type LibraryTemplate = ApiAnswer<'listLibraryDesigns'>[number]
export type ListedApiDesign = ApiAnswer<'listDesigns'>[number]
export type TemplateLanguage = LibraryTemplate['language']

/** The designs that come with the program, in a language: that of the person where none is given. */
export function useLibraryTemplates(language?: TemplateLanguage) {
  const interfaceLanguage = useLocale().language
  const templateLanguage = language ?? interfaceLanguage
  return useQuery({
    queryKey: ['designs', 'library', templateLanguage],
    queryFn: ({ signal }) => apiClient.listLibraryDesigns({ query: { language: templateLanguage }, signal }),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The designs that the account has saved, without their rows. */
export function useSavedDesigns() {
  return useQuery({
    queryKey: ['designs', 'saved'],
    queryFn: ({ signal }) => apiClient.listDesigns({ signal }),
  })
}

const isFullDesign = ({ type }: ListedApiDesign): boolean => type !== 'rows'

/** Designs saved in the account that can be the start of a message. */
export function useAccountTemplates() {
  const savedDesigns = useSavedDesigns()
  return { ...savedDesigns, data: savedDesigns.data?.filter(isFullDesign) }
}

export async function readApiDesign(id: number, signal?: AbortSignal): Promise<ApiDesign> {
  return (await apiClient.getDesign({ path: { id: String(id) }, ...(signal && { signal }) })).design
}

const lightColours = {
  background: '#f5f4f0',
  surface: '#ffffff',
  tinted: '#e9f2ef',
  text: '#22211d',
  muted: '#66635b',
  accent: '#14574b',
  onAccent: '#ffffff',
  line: '#e3dfd5',
}
const darkColours = {
  background: '#121211',
  surface: '#1d1d1b',
  tinted: '#1d2f2a',
  text: '#f1efe9',
  muted: '#aca89d',
  accent: '#84d2bb',
  onAccent: '#15140f',
  line: '#3a3933',
}

/** A design with no rows. */
export const BLANK_DESIGN: ApiDesign = {
  version: 1,
  theme: { width: 600, colours: lightColours, fonts: { heading: 'sans', body: 'sans' }, dark: darkColours, radius: 6 },
  rows: [],
}
