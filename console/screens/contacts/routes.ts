import { createRoute, lazyRouteComponent } from '@tanstack/react-router'
import type { CriteriaGroup } from '../../components/criteria/model.ts'
import { rootRoute } from '../../layout/root.tsx'

/** Search, sort and columns of the contact list in the address. */
export interface ContactsSearch {
  /** An address, number or id, or a part of one. */
  q?: string
  segment?: number
  /** Criteria that contacts must meet. */
  filter?: CriteriaGroup
  /** `creationDate`, `-101`: a date or a field, descending with a dash. */
  sort?: string
  /** Keys of the columns that are shown, by commas; those kept in the browser when absent. */
  columns?: string
  /** `all`, `all-…` without some, or ids: which contacts are chosen. */
  selected?: string
}

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
