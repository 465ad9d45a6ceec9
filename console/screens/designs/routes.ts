import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { TemplateLanguage } from '../../components/design/model/templates.ts'
import { rootRoute } from '../../layout/root.tsx'

const getRootRoute = () => rootRoute

const parseLanguage = (value: unknown): TemplateLanguage | undefined =>
  value === 'en' || value === 'fr' ? value : undefined

const designsRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/designs',
  validateSearch: ({ q, language }: Record<string, unknown>): { q?: string; language?: TemplateLanguage } => ({
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(parseLanguage(language) && { language: parseLanguage(language)! }),
  }),
  component: lazyRouteComponent(() => import('./DesignsPage.tsx'), 'DesignsPage'),
})

const newDesignRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/designs/new',
  // What it begins from: a template of the program by its name, or a saved design by its number.
  validateSearch: ({ from, language }: Record<string, unknown>): { from?: string; language?: TemplateLanguage } => ({
    ...(from !== undefined && { from: String(from) }),
    ...(parseLanguage(language) && { language: parseLanguage(language)! }),
  }),
  component: lazyRouteComponent(() => import('./EditDesignPage.tsx'), 'NewDesignPage'),
})

const designRoute = createRoute({
  getParentRoute: getRootRoute,
  path: '/designs/$id',
  component: lazyRouteComponent(() => import('./EditDesignPage.tsx'), 'EditDesignPage'),
})

export const designPageRoutes = [designsRoute, newDesignRoute, designRoute] as const
