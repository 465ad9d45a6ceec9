import { type Icon, IconChecks, IconHome, IconSettings, IconUsers } from '@tabler/icons-react'
import type { Right } from '../api/shapes.ts'
import type en from './en.ts'

type Key = keyof typeof en

/** A place of the left bar: its path within the account, and what is below it. */
export interface Section {
  key: Key
  to: string
  icon: Icon
  /** Shown below while the section is open. */
  parts?: readonly { key: Key; to: string; right?: Right }[]
}

/** The left bar, in its order. A screen that stands there is a row here. */
export const sections: readonly Section[] = [
  { key: 'home', to: '/', icon: IconHome },
  { key: 'contacts', to: '/contacts', icon: IconUsers },
  { key: 'approvals', to: '/approvals', icon: IconChecks },
  { key: 'settings', to: '/settings', icon: IconSettings },
]
