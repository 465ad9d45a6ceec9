import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { CriteriaGroup } from '../../components/criteria/model.ts'
import { rootRoute } from '../../layout/root.tsx'
import type { ContactsSearch } from './address.ts'

/** Ids of digits alone come as numbers of the address. */
const toIdText = (value: unknown): string =>
  typeof value === 'number' ? String(value).padStart(8, '0') : String(value)

function parseSearch({ q, segment, filter, sort, columns, selected }: Record<string, unknown>): ContactsSearch {
  return {
    ...(q !== undefined && q !== '' && { q: String(q) }),
    ...(Number.isInteger(segment) && { segment: Number(segment) }),
    ...(typeof filter === 'object' && filter !== null && { filter: filter as CriteriaGroup }),
    ...(sort !== undefined && sort !== '' && { sort: String(sort) }),
    ...(columns !== undefined && columns !== '' && { columns: String(columns) }),
    ...(selected !== undefined && selected !== '' && { selected: toIdText(selected) }),
  }
}

const contactsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/contacts',
  validateSearch: parseSearch,
  component: lazyRouteComponent(() => import('./ContactsPage.tsx'), 'ContactsPage'),
})

/** Open part of the contact page in the address. */
export interface ContactPageSearch {
  tab?: 'fields'
  /** Purpose of the messages for which `reach` is requested; marketing when absent. */
  purpose?: 'service'
  /** The stamp of the message that is shown. */
  message?: string
}

function parsePageSearch({ tab, purpose, message }: Record<string, unknown>): ContactPageSearch {
  return {
    ...(tab === 'fields' && { tab }),
    ...(purpose === 'service' && { purpose }),
    ...(typeof message === 'string' && message !== '' && { message }),
  }
}

const contactRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/contacts/$id',
  validateSearch: parsePageSearch,
  component: lazyRouteComponent(() => import('./contact/ContactPage.tsx'), 'ContactPage'),
})

export const contactPageRoutes = [contactsRoute, contactRoute] as const
