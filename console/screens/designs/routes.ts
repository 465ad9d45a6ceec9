import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { TemplateLanguage } from '../../components/design/model/templates.ts'
import { rootRoute } from '../../layout/root.tsx'

const getParentRoute = () => rootRoute

const languageOf = (value: unknown): TemplateLanguage | undefined =>
  value === 'en' || value === 'fr' ? value : undefined

const designs = createRoute({
  getParentRoute,
  path: '/designs',
  validateSearch: ({ q, language }: Record<string, unknown>): { q?: string; language?: TemplateLanguage } => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(languageOf(language) && { language: languageOf(language)! }),
  }),
  component: lazyRouteComponent(() => import('./DesignsPage.tsx'), 'DesignsPage'),
})

const fresh = createRoute({
  getParentRoute,
  path: '/designs/new',
  // What it begins from: a template of the program by its name, or a saved design by its number.
  validateSearch: ({ from, language }: Record<string, unknown>): { from?: string; language?: TemplateLanguage } => ({
    ...(from !== undefined && { from: String(from) }),
    ...(languageOf(language) && { language: languageOf(language)! }),
  }),
  component: lazyRouteComponent(() => import('./EditDesignPage.tsx'), 'NewDesignPage'),
})

const design = createRoute({
  getParentRoute,
  path: '/designs/$id',
  component: lazyRouteComponent(() => import('./EditDesignPage.tsx'), 'EditDesignPage'),
})

export const designPageRoutes = [designs, fresh, design] as const
