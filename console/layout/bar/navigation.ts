import {
  type Icon,
  IconChecks,
  IconCode,
  IconHome,
  IconRoute,
  IconSend,
  IconSettings,
  IconTruckDelivery,
  IconUsers,
} from '@tabler/icons-react'
import type { ApiRight } from '../../api/shapes.ts'
import type en from '../en.ts'

type TextKey = keyof typeof en

/** A place of the left bar: its path within the account, and what is below it. */
export interface NavigationSection {
  key: TextKey
  to: string
  icon: Icon
  /** Shown below while the section is open; `also`: other paths that belong to it. */
  parts?: readonly { key: TextKey; to: string; right?: ApiRight; also?: readonly string[] }[]
}

/** Sections of the sidebar in order. Each screen listed there has a row here. */
export const navigationSections: readonly NavigationSection[] = [
  { key: 'home', to: '/', icon: IconHome },
  {
    key: 'contacts',
    to: '/contacts',
    icon: IconUsers,
    parts: [
      { key: 'segments', to: '/segments' },
      { key: 'imports', to: '/imports' },
      { key: 'fields', to: '/fields', also: ['/value-lists', '/forms'] },
      { key: 'pressure', to: '/pressure' },
    ],
  },
  {
    key: 'messages',
    to: '/messages',
    icon: IconSend,
    parts: [
      { key: 'campaigns', to: '/campaigns' },
      { key: 'designs', to: '/designs' },
      { key: 'media', to: '/media' },
      { key: 'display', to: '/display' },
    ],
  },
  {
    key: 'workflows',
    to: '/workflows',
    icon: IconRoute,
    parts: [
      { key: 'webtasks', to: '/webtasks' },
      { key: 'compilables', to: '/compilables' },
    ],
  },
  { key: 'approvals', to: '/approvals', icon: IconChecks },
  { key: 'deliverability', to: '/deliverability', icon: IconTruckDelivery },
  { key: 'developers', to: '/developers', icon: IconCode },
  { key: 'settings', to: '/settings', icon: IconSettings },
]
