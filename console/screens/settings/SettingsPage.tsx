import { useRouterState } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useCurrentUser } from '../../api/me.ts'
import type { ApiRight } from '../../api/shapes.ts'
import { ScreenPage } from '../../components/layout/ScreenPage.tsx'
import { useTranslator } from '../../text/catalogue.ts'
import type en from './en.ts'
import { settingsScreenTexts } from './texts.ts'

const SETTINGS_PARTS: readonly { key: keyof typeof en; to: string; right: ApiRight }[] = [
  { key: 'profile', to: '/settings', right: 'read' },
  { key: 'account', to: '/settings/account', right: 'read' },
  { key: 'people', to: '/settings/people', right: 'admin' },
  { key: 'sending', to: '/settings/sending', right: 'read' },
  { key: 'gateways', to: '/settings/gateways', right: 'read' },
  { key: 'applications', to: '/settings/applications', right: 'read' },
  { key: 'rcsProfiles', to: '/settings/rcs', right: 'read' },
  { key: 'events', to: '/settings/events', right: 'read' },
  { key: 'contacts', to: '/settings/contacts', right: 'read' },
  { key: 'audit', to: '/settings/audit', right: 'admin' },
]

/** One part of the settings, with tabs for the parts that the user may see. */
export function SettingsPage({ action, children }: { action?: ReactNode; children: ReactNode }) {
  const t = useTranslator(settingsScreenTexts)
  const { rights } = useCurrentUser()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const settingsTabs = SETTINGS_PARTS.filter(({ right }) => rights.includes(right)).map(({ key, to }) => ({
    label: t(key),
    to,
    isOpen: path === to,
  }))
  return (
    <ScreenPage title={t('settings')} tabs={settingsTabs} action={action}>
      {children}
    </ScreenPage>
  )
}
