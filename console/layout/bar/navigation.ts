import {
  type Icon,
  IconChartBar,
  IconCode,
  IconHome,
  IconPalette,
  IconRoute,
  IconSend,
  IconSettings,
  IconUsers,
} from '@tabler/icons-react'
import type { ApiRight } from '../../api/shapes.ts'
import type en from '../en.ts'

type TextKey = keyof typeof en

/** A page of a room; `also`: other paths that belong to it. */
export interface NavigationPart {
  key: TextKey
  to: string
  right?: ApiRight
  also?: readonly string[]
  /** Served beside the console, in a window of its own. */
  isOutside?: boolean
}

/** A room of the left bar: its path within the account, and the pages that are shown below it while it is open. */
export interface NavigationSection extends NavigationPart {
  icon: Icon
  parts?: readonly NavigationPart[]
  /** At the foot of the bar. */
  isAtFoot?: boolean
}

/** Rooms of the left bar in order. Each screen listed there has a row here. */
export const navigationSections: readonly NavigationSection[] = [
  { key: 'home', to: '/', icon: IconHome },
  {
    key: 'campaigns',
    to: '/messages',
    icon: IconSend,
    parts: [
      { key: 'campaignGroups', to: '/campaigns' },
      { key: 'approvals', to: '/approvals' },
    ],
  },
  {
    key: 'automations',
    to: '/workflows',
    icon: IconRoute,
    parts: [{ key: 'onDemand', to: '/messages/on-demand' }],
  },
  {
    key: 'audience',
    to: '/contacts',
    icon: IconUsers,
    parts: [
      { key: 'contacts', to: '/contacts' },
      { key: 'segments', to: '/segments' },
      { key: 'imports', to: '/imports' },
      { key: 'forms', to: '/forms' },
      { key: 'fields', to: '/fields', also: ['/value-lists'] },
    ],
  },
  {
    key: 'content',
    to: '/designs',
    icon: IconPalette,
    parts: [
      { key: 'media', to: '/media' },
      { key: 'display', to: '/display' },
    ],
  },
  {
    key: 'reports',
    to: '/reports',
    icon: IconChartBar,
    parts: [{ key: 'deliverability', to: '/deliverability' }],
  },
  {
    key: 'settings',
    to: '/settings',
    icon: IconSettings,
    parts: [
      { key: 'profile', to: '/settings' },
      { key: 'account', to: '/settings/account' },
      { key: 'senders', to: '/settings/sending' },
      { key: 'domains', to: '/deliverability/domains' },
      { key: 'gateways', to: '/settings/gateways' },
      { key: 'rcsProfiles', to: '/settings/rcs' },
      { key: 'people', to: '/settings/people', right: 'admin' },
      { key: 'pressure', to: '/pressure' },
      { key: 'contactRules', to: '/settings/contacts' },
      { key: 'events', to: '/settings/events' },
      { key: 'audit', to: '/settings/audit', right: 'admin' },
    ],
  },
  {
    key: 'developers',
    to: '/developers',
    icon: IconCode,
    right: 'write',
    isAtFoot: true,
    parts: [
      { key: 'keys', to: '/developers', right: 'admin' },
      { key: 'webhooks', to: '/developers/webhooks' },
      { key: 'requests', to: '/developers/requests', right: 'admin' },
      { key: 'stream', to: '/developers/stream' },
      { key: 'functions', to: '/webtasks' },
      { key: 'pipelines', to: '/compilables' },
      { key: 'applications', to: '/settings/applications' },
      { key: 'reference', to: '/docs', isOutside: true },
    ],
  },
]

const isWithin = (path: string, to: string): boolean =>
  to === '/' ? path === '/' : path === to || path.startsWith(`${to}/`)

/** Room and page that an address belongs to: the one with the longest path wins, so that a page may have its address in another room. */
export function findNavigationPlace(path: string): { section: NavigationSection; part: NavigationPart } | undefined {
  const places = navigationSections.flatMap((section) =>
    [...(section.parts ?? []), section].flatMap((part) =>
      [part.to, ...(part.also ?? [])].map((to) => ({ section, part, to })),
    ),
  )
  return places.filter(({ to }) => isWithin(path, to)).sort((a, b) => b.to.length - a.to.length)[0]
}
