import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { TemplateLanguage } from '../../components/design/model/templates.ts'
import { root } from '../../layout/root.tsx'

const getParentRoute = () => root

const languageOf = (value: unknown): TemplateLanguage | undefined =>
  value === 'en' || value === 'fr' ? value : undefined

const designs = createRoute({
  getParentRoute,
  path: '/designs',
  validateSearch: ({ q, language }: Record<string, unknown>): { q?: string; language?: TemplateLanguage } => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(languageOf(language) && { language: languageOf(language)! }),
  }),
  component: lazyRouteComponent(() => import('./Designs.tsx'), 'Designs'),
})

const fresh = createRoute({
  getParentRoute,
  path: '/designs/new',
  // What it begins from: a template of the program by its name, or a saved design by its number.
  validateSearch: ({ from, language }: Record<string, unknown>): { from?: string; language?: TemplateLanguage } => ({
    ...(from !== undefined && { from: String(from) }),
    ...(languageOf(language) && { language: languageOf(language)! }),
  }),
  component: lazyRouteComponent(() => import('./EditDesign.tsx'), 'NewDesign'),
})

const design = createRoute({
  getParentRoute,
  path: '/designs/$id',
  component: lazyRouteComponent(() => import('./EditDesign.tsx'), 'EditDesign'),
})

export const designRoutes = [designs, fresh, design] as const
