import { useQuery } from '@tanstack/react-query'
import { api, data } from '../../../api/client.ts'
import type { Answer } from '../../../api/shapes.ts'
import { useLocale } from '../../../text/locale.ts'
import type { Design } from './shapes.ts'

export type Template = Answer<'/designs/library', 'get'>[number]
export type ListedDesign = Answer<'/designs', 'get'>[number]
export type TemplateLanguage = Template['language']

/** The designs that come with the program, in a language: that of the person where none is given. */
export function useTemplates(language?: TemplateLanguage) {
  const own = useLocale().language
  const asked = language ?? own
  return useQuery({
    queryKey: ['designs', 'library', asked],
    queryFn: ({ signal }) => data(api.GET('/designs/library', { params: { query: { language: asked } }, signal })),
    staleTime: Number.POSITIVE_INFINITY,
  })
}

/** The designs that the account has saved, without their rows. */
export function useSavedDesigns() {
  return useQuery({ queryKey: ['designs', 'saved'], queryFn: ({ signal }) => data(api.GET('/designs', { signal })) })
}

const isWhole = ({ type }: ListedDesign): boolean => type !== 'rows'

/** Of the designs that the account has saved, those that a message can begin with. */
export function useOwnTemplates() {
  const saved = useSavedDesigns()
  return { ...saved, data: saved.data?.filter(isWhole) }
}

export async function readDesign(id: number, signal?: AbortSignal): Promise<Design> {
  return (await data(api.GET('/designs/{id}', { params: { path: { id: String(id) } }, ...(signal && { signal }) })))
    .design
}

const light = {
  ...{ background: '#f5f4f0', surface: '#ffffff', tinted: '#e9f2ef', text: '#22211d' },
  ...{ muted: '#66635b', accent: '#14574b', onAccent: '#ffffff', line: '#e3dfd5' },
}
const dark = {
  ...{ background: '#121211', surface: '#1d1d1b', tinted: '#1d2f2a', text: '#f1efe9' },
  ...{ muted: '#aca89d', accent: '#84d2bb', onAccent: '#15140f', line: '#3a3933' },
}

/** A design with no rows. */
export const BLANK: Design = {
  version: 1,
  theme: { width: 600, colours: light, fonts: { heading: 'sans', body: 'sans' }, dark, radius: 6 },
  rows: [],
}
